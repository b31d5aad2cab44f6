// Machines that wait for a person's word: those of our own operations, and OAuth clients with a
// device grant. Both are found by the code that the person types.
import type Provider from 'oidc-provider';
import { putAuthRecord } from '../../store/auth-records.ts';
import { decideLogin, getLoginByUserCode } from '../../store/logins.ts';
import type { Table } from '../../store/table-port.ts';
import { resourceOf, scope } from '../resource.ts';
import type { AuthServer } from './context.ts';
import { grantClient } from './grants.ts';

/** One request that is not decided yet. Deciding is true unless somebody decided it before. */
export interface DeviceRequest {
  readonly rows: readonly { readonly name: string; readonly value: string }[];
  approve(account: string): Promise<boolean>;
  decline(): Promise<boolean>;
}

const patienceMs = 8_000;
const deviceIdBytes = 12;
const permission = { name: 'It may', value: 'Read and write in your rooms, as you' };

/** The request with that code, in its canonical form; undefined if none waits. */
export async function findDeviceRequest(
  provider: Provider,
  server: AuthServer,
  userCode: string,
): Promise<DeviceRequest | undefined> {
  return (await findLogin(server, userCode)) ?? (await findDeviceCode(provider, server, userCode));
}

async function findLogin(
  { table, randomBytes }: AuthServer,
  userCode: string,
): Promise<DeviceRequest | undefined> {
  const login = await getLoginByUserCode(table, userCode);
  if (login?.state !== 'pending') return undefined;
  const { hash, label, createdAt } = login;
  const deadline = { atMs: table.nowMs() + patienceMs };
  const device = Buffer.from(randomBytes(deviceIdBytes)).toString('base64url');
  return {
    rows: [
      { name: 'Machine', value: label || 'It gave no name' },
      { name: 'Asked for', value: ago(table, createdAt) },
      permission,
    ],
    approve: (account) =>
      decideLogin(table, deadline, hash, { state: 'approved', account, device }),
    decline: () => decideLogin(table, deadline, hash, { state: 'denied' }),
  };
}

async function findDeviceCode(
  provider: Provider,
  server: AuthServer,
  userCode: string,
): Promise<DeviceRequest | undefined> {
  const code = await provider.DeviceCode.findByUserCode(userCode);
  const isWaiting = code?.accountId === undefined && code?.error === undefined;
  const { clientId } = code ?? {};
  if (code === undefined || clientId === undefined || !isWaiting) return undefined;
  const client = await provider.Client.find(clientId);
  const host = URL.parse(clientId)?.host ?? 'A program that registered itself here';
  const name = client?.clientName;
  return {
    rows: [
      { name: 'Who asks', value: host },
      ...(name === undefined ? [] : [{ name: 'It calls itself', value: name }]),
      permission,
    ],
    async approve(account) {
      if (!(await isFirstWord(server, code))) return false;
      const grantId = await grantClient(provider, server, { clientId, account });
      const resource = resourceOf(server);
      const authTime = Math.floor(server.table.nowMs() / 1000);
      Object.assign(code, { accountId: account, grantId, scope, resource, authTime });
      await code.save();
      return true;
    },
    async decline() {
      if (!(await isFirstWord(server, code))) return false;
      Object.assign(code, { error: 'access_denied', errorDescription: 'the person declined' });
      await code.save();
      return true;
    },
  };
}

/** Saving a code replaces it, the mark of its use included: so who may save it is settled before. */
function isFirstWord(
  { table, secrets }: AuthServer,
  { jti: id, exp: expiresAt }: { readonly jti: string; readonly exp?: number | undefined },
): Promise<boolean> {
  const model = 'DeviceDecision';
  const sealed = secrets.seal(model, id, '');
  return putAuthRecord(table, { model, id }, { sealed, expiresAt }, { ifAbsent: true });
}

function ago({ nowMs }: Table, atMs: number): string {
  const minutes = Math.floor((nowMs() - atMs) / 60_000);
  if (minutes < 1) return 'Just now';
  return minutes === 1 ? 'A minute ago' : `${minutes} minutes ago`;
}
