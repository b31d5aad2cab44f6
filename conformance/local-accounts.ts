// Accounts of a local Hub: signed in at its stand-in the way a person does on the website.
import { randomBytes } from 'node:crypto';
import type { HubRecord } from '../local/hub-record.ts';
import { signIn } from '../local/sign-in.ts';
import type { Account, ChatHost } from './client.ts';
import { httpClient } from './http-client.ts';
import { localPerson } from './local-person.ts';

export interface LocalAccounts {
  /** Somebody who has never been there before. */
  newAccount(handle?: string): Promise<Account>;
  /** Has everybody sign in again before the next call, because time was moved. */
  renewTokens(): void;
}

/** A handle that nobody has. */
export function newHandle(): string {
  return `c_${randomBytes(6).toString('hex')}`;
}

export function localAccounts(hub: HubRecord): LocalAccounts {
  const { url, cognito } = hub;
  const tokens = new Map<string, Promise<string>>();
  const { call } = httpClient(url);

  async function getToken(email: string): Promise<string> {
    const { baseUrl, clientId } = cognito;
    const token =
      tokens.get(email) ?? signIn({ baseUrl, clientId, email }).then((it) => it.accessToken);
    tokens.set(email, token);
    return token;
  }

  /** Connected once, at the first call. */
  function connectorTokenOf(email: string, host: ChatHost): Promise<string> {
    const key = `${host} ${email}`;
    const token = tokens.get(key) ?? localPerson(hub, email).connectChat(host);
    tokens.set(key, token);
    return token;
  }

  return {
    async newAccount(handle) {
      const email = `${randomBytes(8).toString('hex')}@example.test`;
      const token = () => getToken(email);
      const nobody = { id: '', handle: null, token };
      if (handle !== undefined) await call('claim_handle', { account: nobody }, { handle });
      const { account } = await call('status', { account: nobody }, {});
      return {
        ...account,
        token,
        connectorToken: (host) => connectorTokenOf(email, host),
        decideLogin: localPerson(hub, email).decideLogin,
      };
    },
    renewTokens: () => tokens.clear(),
  };
}
