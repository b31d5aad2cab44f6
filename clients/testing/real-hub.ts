// For tests: the whole Hub on this machine, and people who approve sign-ins in a browser.
import { onTestFinished } from 'vitest';
import { createBrowser, readForm } from '../../local/cognito/browser.ts';
import { startStack } from '../../local/stack.ts';

const pagesMax = 6;

export interface RealHub {
  url: string;
  /** Somebody new opens the URL that a login result shows, and goes through all pages. */
  approve: (loginText: string, handle: string) => Promise<void>;
}

/** Starts it for one test. */
export async function startRealHub(): Promise<RealHub> {
  const { url, cognito, close } = await startStack({ mode: 'worker' });
  onTestFinished(close);
  return {
    url,
    async approve(loginText, handle) {
      const page = /^URL: (.+)$/m.exec(loginText)?.[1] ?? '';
      const code = /^Code: (.+)$/m.exec(loginText)?.[1] ?? '';
      const answers = {
        ...{ email: `${handle}@example.test`, handle },
        ...{ user_code: code, decision: 'approve' },
      };
      const browser = createBrowser(url, cognito?.baseUrl ?? '');
      let shown = await browser.open(page);
      for (let pages = 0; pages < pagesMax && !(shown instanceof URL); pages += 1) {
        const form = readForm(await shown.text());
        if (form === null) return;
        shown = await browser.open(new URL(form.action, shown.url), { ...form.fields, ...answers });
      }
      throw new Error('the sign-in did not come to its end');
    },
  };
}
