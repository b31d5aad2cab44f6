// The pages a person sees: the login form and one-line notices. No scripts, nothing from elsewhere.
import { createHash } from 'node:crypto';

const style = `
  :root { color-scheme: light dark; }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
    font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
  main { width: 100%; max-width: 24rem; }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
  p { margin: 0 0 1.25rem; }
  label { display: block; margin-bottom: .25rem; font-weight: 600; }
  input, button {
    display: block; width: 100%; padding: .75rem; font: inherit; border-radius: .5rem;
  }
  input { border: 1px solid GrayText; margin-bottom: 1rem; }
  button { border: 0; background: #1d4ed8; color: #fff; font-weight: 600; cursor: pointer; }
  button:focus-visible, input:focus-visible { outline: 3px solid #60a5fa; outline-offset: 1px; }
  .stand-in { padding: .5rem .75rem; border-left: 4px solid #d97706; font-size: .9rem; }
  .error { color: #dc2626; font-weight: 600; }
  small { display: block; margin-top: 1.5rem; opacity: .7; overflow-wrap: anywhere; }
`;

/**
 * Goes with every page. There is no `form-action`: browsers apply it to each redirect that follows
 * the form, and those lead to the client and, through the Hub, to the clients of the Hub.
 */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Every value is escaped, unless it is itself the result of `html`. */
function html(parts: TemplateStringsArray, ...values: (string | Html)[]): Html {
  const safe = values.map((value) =>
    value instanceof Html ? value.text : value.replace(/[&<>"']/g, (char) => entities[char] ?? ''),
  );
  return new Html(String.raw({ raw: parts }, ...safe));
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body><main>
<h1>${title}</h1>
${content}
</main></body>
</html>
`.text;
}

export interface LoginForm {
  /** Path the form posts to. */
  action: string;
  csrf: string;
  /** What stands in the field already. */
  email: string;
  error: string | undefined;
  /** Which stand-in this is, for a person who runs several. */
  pool: string;
}

export function loginPage({ action, csrf, email, error, pool }: LoginForm): string {
  return page(
    'Sign in',
    html`<p class="stand-in">Local stand-in for Amazon Cognito. Any email address will do: nothing is
sent to it and no password is asked.</p>
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
${error === undefined ? '' : html`<p class="error" role="alert">${error}</p>`}
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="email"
  required autofocus>
<button>Sign in</button>
</form>
<small>${pool}</small>`,
  );
}

export function noticePage(title: string, text: string): string {
  return page(title, html`<p role="alert">${text}</p>`);
}
