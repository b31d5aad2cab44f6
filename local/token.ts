// `npm run token`: signs in to a local Hub as a person would on its website, and prints the access
// token on stdout. Everything else it says goes to stderr.
import { parseArgs } from 'node:util';
import { HubError } from '../protocol/errors.ts';
import type { OperationName, OperationRequest } from '../protocol/operations/index.ts';
import { decodeReply, encodeRequest } from '../protocol/wire.ts';
import { isLoopbackUrl } from './cognito/options.ts';
import { type HubRecord, readHubRecord } from './hub-record.ts';
import { SignInError, signIn } from './sign-in.ts';
import { StartError } from './start-error.ts';

const usage = 'Usage: npm run token -- <email> [--handle <handle>] [--hub <URL>]';
const defaultHub = 'http://127.0.0.1:8799';
const timeoutMs = 15_000;

function readArguments() {
  const options = { handle: { type: 'string' }, hub: { type: 'string' } } as const;
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [email, ...others] = positionals;
    const { handle, hub = defaultHub } = values;
    if (email !== undefined && others.length === 0 && URL.canParse(hub)) {
      return { email, handle, hub: new URL(hub).origin };
    }
  } catch {
    // An unknown option is answered like a missing email.
  }
  throw new StartError(usage);
}

async function answers(hub: string): Promise<boolean> {
  try {
    return (await fetch(`${hub}/health`, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}

async function findHub(hub: string): Promise<HubRecord> {
  if (!isLoopbackUrl(hub)) {
    throw new StartError(
      `${hub} is not on this machine. Sign in on its website and copy the token from the ` +
        "Authorization header of any /v1 request there (the browser's developer tools, Network).",
    );
  }
  if (!(await answers(hub))) {
    throw new StartError(`No Hub answers at ${hub}. Start one with: npm start`);
  }
  const record = readHubRecord(hub);
  if (record) return record;
  throw new StartError(`The Hub at ${hub} runs from another checkout: ask for the token there.`);
}

async function getToken({ cognito, url }: HubRecord, email: string): Promise<string> {
  try {
    const { baseUrl, clientId } = cognito;
    const { accessToken, expiresAt } = await signIn({ baseUrl, clientId, email });
    process.stderr.write(`Signed in until ${new Date(expiresAt).toLocaleTimeString()}.\n`);
    return accessToken;
  } catch (error) {
    if (error instanceof SignInError) throw new StartError(error.message);
    throw new StartError(`Nobody answers where people sign in to ${url}. Restart it: npm start`);
  }
}

async function call<Name extends OperationName>(
  { url }: HubRecord,
  token: string,
  operation: Name,
  input: OperationRequest<Name>,
) {
  const { path, headers, body } = encodeRequest(operation, input, { token });
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
  return decodeReply(operation, response.status, await response.text());
}

/** Claims the handle, unless the account has that very one already. */
async function claimHandle(record: HubRecord, token: string, handle: string): Promise<void> {
  const { account } = await call(record, token, 'status', {});
  if (account.handle === handle) return;
  await call(record, token, 'claim_handle', { handle });
}

async function main(): Promise<void> {
  const { email, handle, hub } = readArguments();
  const record = await findHub(hub);
  const token = await getToken(record, email);
  if (handle !== undefined) await claimHandle(record, token, handle);
  process.stdout.write(`${token}\n`);
}

try {
  await main();
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof HubError;
  if (!isExpected) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
