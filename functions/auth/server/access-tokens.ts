// Access tokens of connectors: a row that `/mcp` reads by hash alone, listed under its grant.
import { type Adapter, errors } from 'oidc-provider';
import { HostKind } from '../../../protocol/nouns.ts';
import { putGrantToken } from '../../store/grants.ts';
import { deleteToken, getToken } from '../../store/tokens.ts';
import { deadlineOf, forgetful, type Memory, seal, unseal } from './memory.ts';

const model = 'AccessToken';

export function accessTokens(memory: Memory): Adapter {
  const { table } = memory;
  return {
    ...forgetful,
    async upsert(token, payload, expiresInS = 0) {
      const { accountId: account, aud: audience, grantId: grant, extra } = payload;
      if (account === undefined || grant === undefined || typeof audience !== 'string') {
        throw new Error('an access token without account, grant or audience');
      }
      const { sealed, expiresAt = 0 } = seal(memory, { model, id: token }, payload, expiresInS);
      const row = { audience, account, host: HostKind.parse(extra?.['host']), expiresAt, sealed };
      const isAdded = await putGrantToken(table, deadlineOf(memory), { grant, token }, row);
      if (!isAdded) throw new errors.InvalidGrant('grant not found');
    },
    async find(token) {
      return unseal(memory, { model, id: token }, await getToken(table, token));
    },
    destroy: (token) => deleteToken(table, token),
  };
}
