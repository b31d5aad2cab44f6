// For tests: the whole Hub on this machine, and people who approve sign-ins in a browser.
import { fillIn } from '../../conformance/local-person.ts';
import { createBrowser } from '../../local/cognito/browser.ts';
import { startStack } from '../../local/stack.ts';

export interface RealHub {
  url: string;
  /** Somebody opens the URL that a login result shows, and goes through all pages. */
  approve: (loginText: string, handle: string) => Promise<void>;
  close: () => Promise<void>;
}

export async function startRealHub(): Promise<RealHub> {
  const { url, cognito, close } = await startStack({ mode: 'worker' });
  return {
    url,
    async approve(loginText, handle) {
      const page = /^URL: (.+)$/m.exec(loginText)?.[1] ?? '';
      const code = /^Code: (.+)$/m.exec(loginText)?.[1] ?? '';
      await fillIn(createBrowser(url, cognito?.baseUrl ?? ''), page, {
        ...{ email: `${handle}@example.test`, handle },
        ...{ user_code: code, decision: 'approve' },
      });
    },
    close,
  };
}
