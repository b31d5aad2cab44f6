// The whole Hub on this machine, two people on it, and what reaches it from outside.
import { httpClient } from '../../conformance/http-client.ts';
import { localAccounts, newHandle } from '../../conformance/local-accounts.ts';
import { fillIn } from '../../conformance/local-person.ts';
import { createWorld, type World } from '../../conformance/world.ts';
import { createBrowser } from '../../local/cognito/browser.ts';
import { type Stack, startStack } from '../../local/stack.ts';

export interface LocalHub {
  url: string;
  world: World;
  /** Somebody opens the URL that a result of `login` shows, and goes through all pages. */
  approve: (loginText: string, handle: string) => Promise<void>;
  /** How many room links are open. */
  linkCount: () => number;
  /** Paths of the calls so far. */
  calls: readonly string[];
  close: () => Promise<void>;
}

export async function startLocalHub(): Promise<LocalHub> {
  const calls: string[] = [];
  const stack: Stack = await startStack({
    mode: 'worker',
    onCall: ({ path }) => calls.push(path),
  });
  const { url, cognito } = stack;
  const clientId = stack.outputs['WebsiteClientId'];
  if (cognito === undefined || clientId === undefined) throw new Error('nobody can sign in here');
  const { newAccount } = localAccounts({ url, cognito: { ...cognito, clientId } });
  const accounts = [await newAccount(newHandle()), await newAccount(newHandle())];
  return {
    url,
    calls,
    world: createWorld({ client: httpClient(url), accounts }),
    async approve(loginText, handle) {
      const [, page = ''] = /URL: (\S+?)(?:\\n|\s)/.exec(loginText) ?? [];
      const [, code = ''] = /Code: ([A-Z0-9-]+)/.exec(loginText) ?? [];
      await fillIn(createBrowser(url, cognito.baseUrl), page, {
        ...{ email: `${handle}@example.test`, handle },
        ...{ user_code: code, decision: 'approve' },
      });
    },
    linkCount: () => stack.connections.ids.length,
    close: () => stack.close(),
  };
}
