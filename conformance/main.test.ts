// `npm run conformance` as a program: what it prints and how it ends when a Hub does not conform.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { success } from '../protocol/wire.ts';
import { playedBindings } from './client.ts';
import { scenarios } from './scenarios.ts';

async function run(...parameters: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...parameters]);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

/** Answers everything as if it were `status`: it conforms in nothing but its envelopes. */
async function startParrot(handle: string | null) {
  const body = JSON.stringify({
    ...success({ account: { id: 'a', handle }, rooms: [] }),
    now: Date.now(),
  });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, headers).end(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('a Hub that does not conform fails, and what cannot be played is not run', async () => {
  const hub = await startParrot('alice');
  const { stdout, code } = await run('--hub', hub, '--account', 'alice=token=');
  expect(code).toBe(1);
  expect(stdout).toContain(`${hub} as alice\n`);
  expect(stdout).toMatch(/✗ a body that is not JSON is refused\n {6}expected invalid_input/);
  expect(stdout).toContain('http.json: A body that is not JSON is invalid_input.');
  expect(stdout).toMatch(
    /– an account without a handle.*: not run: needs accounts that have never/,
  );
  expect(stdout).toMatch(/– members are listed.*: not run: needs three accounts/);
  expect(stdout).toMatch(/– a message is gone.*: not run: needs three accounts/);
  for (const binding of playedBindings) {
    const counts = new RegExp(`over ${binding}: (.*) passed, (.*) failed, (.*) not run`);
    const [passed = 0, failed = 0, notRun = 0] = counts.exec(stdout)?.slice(1).map(Number) ?? [];
    const own = scenarios.filter(({ bindings }) => bindings.includes(binding));
    expect(passed + failed + notRun).toBe(own.length);
    const isPlayed = binding === 'http' || binding === 'link';
    expect(failed + passed > 0, binding).toBe(isPlayed);
    expect(failed).toBeGreaterThanOrEqual(passed);
  }
});

test.each([
  [['--hub', 'http://127.0.0.1:9'], 'No Hub answers at http://127.0.0.1:9.\n'],
  [['--hub', 'nowhere'], 'Invalid URL\n'],
  [['--what'], /Unknown option '--what'/],
])('%o cannot start, and one line says why', async (parameters, problem) => {
  const { stdout, stderr, code } = await run(...parameters);
  expect([stdout, code]).toEqual(['', 2]);
  expect(stderr).toMatch(problem);
});

test('an account without a handle, or without a token, is not played with', async () => {
  const hub = await startParrot(null);
  const without = await run('--hub', hub, '--account', 'bob=token');
  expect([without.stderr, without.code]).toEqual(['The account bob has no handle yet.\n', 2]);
  const malformed = await run('--hub', hub, '--account', 'bob');
  expect([malformed.stderr, malformed.code]).toEqual(['--account takes NAME=TOKEN, not bob\n', 2]);
});

test('two tokens of one account are not taken for two accounts', async () => {
  const hub = await startParrot('alice');
  const { stderr, code } = await run('--hub', hub, '--account', 'a=one', '--account', 'b=two');
  expect([stderr, code]).toEqual(['Two of the tokens are of the same account.\n', 2]);
});

test('a Hub of another checkout needs tokens', async () => {
  const hub = await startParrot('alice');
  const { stderr, code } = await run('--hub', hub);
  expect([stderr, code]).toEqual([
    `${hub} is no Hub of this checkout: give its tokens with --account.\n`,
    2,
  ]);
});
