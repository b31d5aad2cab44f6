// oidc-provider's memory, model by model: what is special about some of them.
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import {
  consumeAuthRecord,
  extendAuthRecord,
  getAuthRecord,
  putAuthRecord,
} from '../../store/auth-records.ts';
import { deleteGrant, grantModel } from '../../store/grants.ts';
import { accessTokens } from './access-tokens.ts';
import {
  deadlineOf,
  epochS,
  forgetful,
  type Memory,
  recordAdapter,
  seal,
  unseal,
} from './memory.ts';

const dayS = 24 * 60 * 60;
/** A registration is forgotten so long after its last use; longer than any of its tokens lives. */
const clientLifeS = 120 * dayS;
/** Two calls with one refresh token at once are one client with two processes, not a thief. */
export const refreshGraceS = 30;

/** The adapter of each model; those not named here have plain records. */
export function createAdapter(memory: Memory): AdapterFactory {
  const special: Readonly<Record<string, Adapter>> = {
    Session: forgetful,
    AccessToken: accessTokens(memory),
    RefreshToken: refreshTokens(memory),
    Grant: {
      ...recordAdapter(memory, grantModel),
      destroy: (id) => deleteGrant(memory.table, id),
    },
    Client: clients(memory),
    DeviceCode: deviceCodes(memory),
  };
  return (model) => special[model] ?? recordAdapter(memory, model);
}

/**
 * A refresh token that was just used counts as unused for a moment, and gives the same successor
 * again (`successors.ts`). That must not replace the record of the successor, which may be used,
 * too.
 */
function refreshTokens(memory: Memory): Adapter {
  const model = 'RefreshToken';
  const { table } = memory;
  return {
    ...recordAdapter(memory, model),
    async upsert(id, payload, expiresInS) {
      const content = seal(memory, { model, id }, payload, expiresInS);
      await putAuthRecord(table, { model, id }, content, { ifAbsent: true });
    },
    async find(id) {
      const record = await getAuthRecord(table, { model, id });
      const usedS = record?.consumedAt === undefined ? 0 : epochS(memory) - record.consumedAt;
      if (usedS > refreshGraceS) return unseal(memory, { model, id }, record);
      return unseal(memory, { model, id }, record && { sealed: record.sealed });
    },
    async consume(id) {
      await consumeAuthRecord(table, deadlineOf(memory), { model, id });
    },
  };
}

/** Clients that registered themselves. */
function clients(memory: Memory): Adapter {
  const model = 'Client';
  const { table } = memory;
  const plain = recordAdapter(memory, model);
  return {
    ...plain,
    upsert: (id, payload) => plain.upsert(id, payload, clientLifeS),
    async find(id) {
      const record = await getAuthRecord(table, { model, id });
      const lifeS = (record?.expiresAt ?? 0) - epochS(memory);
      if (record !== undefined && lifeS < clientLifeS - dayS) {
        const expiresAt = epochS(memory) + clientLifeS;
        await extendAuthRecord(table, deadlineOf(memory), { model, id }, expiresAt);
      }
      return unseal(memory, { model, id }, record);
    },
  };
}

/** Found by the code that a person types as well, which leads to the device's own. */
function deviceCodes(memory: Memory): Adapter {
  const { table, secrets } = memory;
  const plain = recordAdapter(memory, 'DeviceCode');
  const byUserCode = (id: string) => ({ model: 'UserCode', id });
  return {
    ...plain,
    async upsert(id, payload, expiresInS = 0) {
      const { userCode } = payload;
      if (userCode !== undefined && isUndecided(payload)) {
        const sealed = secrets.seal('UserCode', userCode, id);
        const content = { sealed, expiresAt: epochS(memory) + expiresInS };
        const isFree = await putAuthRecord(table, byUserCode(userCode), content, {
          ifAbsent: true,
        });
        if (!isFree) throw new errors.TemporarilyUnavailable('no free user code, ask again');
      }
      await plain.upsert(id, payload, expiresInS);
    },
    async findByUserCode(userCode) {
      const record = await getAuthRecord(table, byUserCode(userCode));
      const id = record?.sealed && secrets.open('UserCode', userCode, record.sealed);
      return id === undefined ? undefined : plain.find(id);
    },
  };
}

const isUndecided = ({ accountId, error }: AdapterPayload) =>
  accountId === undefined && error === undefined;
