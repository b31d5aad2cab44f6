// How oidc-provider's records stand in the table: keys are hashes, contents are sealed by the
// secret that finds them, everything ends by itself.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import {
  consumeAuthRecord,
  deleteAuthRecord,
  getAuthRecord,
  putAuthRecord,
} from '../../store/auth-records.ts';
import type { AuthRecord } from '../../store/items.ts';
import type { Table } from '../../store/table-port.ts';
import type { Secrets } from './secrets.ts';

export interface Memory {
  readonly table: Table;
  readonly secrets: Secrets;
}

const patienceMs = 8_000;

export const deadlineOf = ({ table }: Memory) => ({ atMs: table.nowMs() + patienceMs });
export const epochS = ({ table }: Memory) => Math.floor(table.nowMs() / 1000);

/** Remembers nothing. Sessions are kept so: only Cognito knows who is signed in. */
export const forgetful: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  // Everything that comes from a grant looks for the grant's record when it is used.
  revokeByGrantId: async () => {},
};

/** Records of one model, each used at most once if it is used up at all. */
export function recordAdapter(memory: Memory, model: string): Adapter {
  const { table } = memory;
  return {
    ...forgetful,
    async upsert(id, payload, expiresInS) {
      await putAuthRecord(table, { model, id }, seal(memory, { model, id }, payload, expiresInS));
    },
    async find(id) {
      return unseal(memory, { model, id }, await getAuthRecord(table, { model, id }));
    },
    async consume(id) {
      if (await consumeAuthRecord(table, deadlineOf(memory), { model, id })) return;
      throw new errors.InvalidGrant('already consumed');
    },
    async destroy(id) {
      await deleteAuthRecord(table, { model, id });
    },
  };
}

interface Sealed {
  readonly model: string;
  readonly id: string;
}

export function seal(
  memory: Memory,
  { model, id }: Sealed,
  payload: AdapterPayload,
  expiresInS: number | undefined,
) {
  return {
    sealed: memory.secrets.seal(model, id, JSON.stringify(payload)),
    expiresAt: expiresInS === undefined ? undefined : epochS(memory) + expiresInS,
  };
}

export function unseal(
  memory: Memory,
  { model, id }: Sealed,
  record: Pick<AuthRecord, 'sealed' | 'consumedAt'> | undefined,
): AdapterPayload | undefined {
  const text = record?.sealed && memory.secrets.open(model, id, record.sealed);
  if (text === undefined) return undefined;
  const payload: AdapterPayload = JSON.parse(text);
  return record?.consumedAt === undefined ? payload : { ...payload, consumed: record.consumedAt };
}
