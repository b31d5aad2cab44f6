// login_start: a machine asks to be signed in; a person decides on the device page.
import { HubError } from '../../protocol/errors.ts';
import { limits } from '../../protocol/limits.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { formatUserCode, makeUserCode } from '../domain/user-code.ts';
import { limitFor } from '../policy.ts';
import { attemptsOf, countAttempt } from '../store/attempts.ts';
import { putLogin } from '../store/logins.ts';
import type { OpenCall } from './hub.ts';

const codeBytes = 32;
const saltBytes = 16;
/**
 * A user code is taken once in billions of times; more than once in a row, something else is wrong.
 */
const codesTried = 3;
const hourMs = 60 * 60_000;

export async function loginStart(
  call: OpenCall,
  { label = '' }: OperationInput<'login_start'>,
): Promise<OperationResult<'login_start'>> {
  const { hub } = call;
  if (hub.url === undefined) throw new Error('this function does not sign devices in');
  await countDeviceCode(call);
  const deviceCode = Buffer.from(hub.randomBytes(codeBytes)).toString('base64url');
  const userCode = formatUserCode(await noteLogin(call, deviceCode, label));
  return {
    url: `${hub.url}/device?user_code=${userCode}`,
    userCode,
    deviceCode,
    intervalSeconds: limits.loginPollSeconds,
    expiresInSeconds: limits.loginExpirySeconds,
  };
}

async function countDeviceCode({ hub, deadline, address = '' }: OpenCall): Promise<void> {
  const { signIn } = hub.policy;
  const limit = limitFor(signIn, signIn.deviceCodesPerHour, address);
  const key = attemptsOf('device codes', address);
  const waitMs = await countAttempt(hub.table, deadline, key, { limit, windowMs: hourMs });
  if (waitMs === undefined) return;
  throw new HubError('rate_limited', 'too many sign-ins were started from this address', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Gives the user code under which the login can be found. */
async function noteLogin(call: OpenCall, deviceCode: string, label: string): Promise<string> {
  const { hub, deadline } = call;
  const createdAt = hub.table.nowMs();
  const login = {
    label,
    salt: hub.randomBytes(saltBytes),
    createdAt,
    expiresAt: Math.ceil(createdAt / 1000) + limits.loginExpirySeconds,
  };
  for (let tried = 0; tried < codesTried; tried += 1) {
    const userCode = makeUserCode(hub.randomBytes);
    if (await putLogin(hub.table, deadline, { deviceCode, userCode }, login)) return userCode;
  }
  throw new Error('no free user code');
}
