// `npm run token` as a program: the token alone on stdout, one clear line on stderr when it fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { HubError, httpStatusOf } from '../protocol/errors.ts';
import { failure, success } from '../protocol/wire.ts';
import { payloadOf, startTestCognito } from './cognito/testing.ts';
import { readHubRecord, removeHubRecord, writeHubRecord } from './hub-record.ts';

const program = join(import.meta.dirname, 'token.ts');
const email = 'alice@example.test';

async function run(...parameters: string[]) {
  const child = spawn(process.execPath, [program, ...parameters]);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

const Claim = z.object({ handle: z.string() });

/** What the program needs of a Hub: health, and accounts that claim one handle each. */
function accounts() {
  const handles = new Map<unknown, string>();
  return (operation: string, sub: unknown, input: unknown) => {
    const account = () => ({ id: String(sub), handle: handles.get(sub) ?? null });
    if (operation === 'status') return { account: account(), rooms: [] };
    const { handle } = Claim.parse(input);
    if (!/^[a-z]{3,}$/.test(handle)) throw new HubError('invalid_input', `${handle} is no handle`);
    if ([...handles.values()].includes(handle)) {
      throw new HubError('name_taken', `the handle ${handle} is taken`);
    }
    handles.set(sub, handle);
    return { account: account() };
  };
}

async function startHub() {
  const operate = accounts();
  const answer = async (request: IncomingMessage) => {
    if (request.url === '/health') return { status: 200, body: { ok: true, now: Date.now() } };
    const sub = payloadOf(request.headers.authorization ?? '')['sub'];
    const operation = request.url?.replace('/v1/', '') ?? '';
    try {
      const input: unknown = JSON.parse(await text(request));
      return { status: 200, body: success(operate(operation, sub, input)) };
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      return { status: httpStatusOf[error.code], body: failure(error) };
    }
  };
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status).end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return url;
}

/** A Hub and where people sign in to it, known to this checkout until the test ends. */
async function startRecordedHub() {
  const cognito = await startTestCognito();
  const { baseUrl, issuer } = cognito;
  const url = await startHub();
  onTestFinished(() => removeHubRecord(url));
  writeHubRecord({ url, cognito: { baseUrl, issuer, clientId: 'website' } });
  return { url, cognito };
}

test('it prints the access token and nothing else on stdout', async () => {
  const { url, cognito } = await startRecordedHub();
  const { stdout, code } = await run(email, '--hub', url);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  expect(payloadOf(stdout)).toMatchObject({ iss: cognito.issuer, token_use: 'access' });
});

test('it claims a handle, and is content when the account has it', async () => {
  const { url } = await startRecordedHub();
  const first = await run(email, '--handle', 'alice', '--hub', `${url}/`);
  const again = await run(email, '--handle', 'alice', '--hub', url);
  expect([first.code, again.code]).toEqual([0, 0]);
  expect(payloadOf(again.stdout)['sub']).toBe(payloadOf(first.stdout)['sub']);
});

test('a handle that is taken or invalid is answered in the words of the Hub', async () => {
  const { url } = await startRecordedHub();
  await run(email, '--handle', 'alice', '--hub', url);
  const taken = await run('bob@example.test', '--handle', 'alice', '--hub', url);
  expect(taken).toEqual({ stdout: '', stderr: expect.any(String), code: 1 });
  expect(taken.stderr).toContain('\nthe handle alice is taken\n');
  const invalid = await run('bob@example.test', '--handle', '1', '--hub', url);
  expect(invalid).toMatchObject({ stdout: '', code: 1 });
  expect(invalid.stderr).toContain('\n1 is no handle\n');
});

async function expectOneLine(parameters: string[], line: RegExp) {
  const { stdout, stderr, code } = await run(...parameters);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toMatch(line);
}

test('a bad address is refused in one line', async () => {
  const { url } = await startRecordedHub();
  await expectOneLine(['alice', '--hub', url], /^That is not an email address\.$/m);
});

test('a Hub that is not running is named with what to do', async () => {
  await expectOneLine([email, '--hub', 'http://127.0.0.1:9'], /Start one with: npm start$/m);
});

test('a Hub whose sign-in is gone has to be restarted', async () => {
  const { url, cognito } = await startRecordedHub();
  await cognito.close();
  await expectOneLine([email, '--hub', url], /Restart it: npm start$/m);
});

test('a Hub of another checkout has its people sign in there', async () => {
  const url = await startHub();
  expect(readHubRecord(url)).toBeUndefined();
  await expectOneLine([email, '--hub', url], /runs from another checkout/);
});

test('for a deployed Hub it says where to find a token', async () => {
  await expectOneLine([email, '--hub', 'https://hub.example.com'], /Sign in on its website/);
});

test.each([[[]], [[email, 'bob@example.test']], [[email, '--room', 'x']], [[email, '--hub', 'x']]])(
  'without sense in its arguments (%j) it says how it is called',
  async (parameters) => {
    await expectOneLine(parameters, /^Usage: npm run token -- <email>/);
  },
);
