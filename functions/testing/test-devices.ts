// Machines that sign in to a test's Hub, with credentials as they really are.

import type { OperationName, OperationRequest } from '../../protocol/operations/index.ts';
import { authenticator } from '../auth/authenticate.ts';
import { parseUserCode } from '../domain/user-code.ts';
import { execute, type Request } from '../operations/execute.ts';
import type { Hub } from '../operations/hub.ts';
import { decideLogin, getLoginByUserCode } from '../store/logins.ts';
import type { TestHub } from './test-hub.ts';

export const hubUrl = 'https://hub.example.com';

/**
 * The test's Hub as a deployed function sees it: device tokens are looked up, no JWT is anybody's.
 */
export function withRealTokens({ hub }: TestHub, changes: Partial<Hub> = {}): Hub {
  const authenticate = authenticator(hub.table, async () => undefined);
  return { ...hub, url: hubUrl, authenticate, ...changes };
}

/** Runs an operation with a bearer token; throws HubError. */
export function callWith<Name extends OperationName>(
  hub: Hub,
  operation: Name,
  input: OperationRequest<Name>,
  call: Pick<Request, 'bearer' | 'address' | 'room' | 'caller'> = {},
) {
  return execute(hub, { operation, input, ...call });
}

let devices = 0;

/** What the device page does once a person has decided. */
export async function decide(hub: Hub, userCode: string, account: string | undefined) {
  const { table } = hub;
  const login = await getLoginByUserCode(table, parseUserCode(userCode) ?? '');
  if (login === undefined) throw new Error(`no login with the code ${userCode}`);
  devices += 1;
  const deadline = { atMs: table.nowMs() + 5_000 };
  return decideLogin(
    table,
    deadline,
    login.hash,
    account === undefined
      ? { state: 'denied' }
      : { state: 'approved', account, device: `device-${devices}` },
  );
}

/** Signs a machine in to an account, start to end. */
export async function signInDevice(hub: Hub, account: string, label?: string) {
  const started = await callWith(hub, 'login_start', { label }, { address: '127.0.0.1' });
  await decide(hub, started.userCode, account);
  const { deviceCode } = started;
  const status = await callWith(hub, 'login_status', { deviceCode });
  if (status.state !== 'approved') throw new Error(`the login is ${status.state}`);
  return { ...started, token: status.token };
}
