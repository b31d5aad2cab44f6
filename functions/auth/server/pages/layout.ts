// The frame of every page: one column that fits a phone, light and dark, no scripts, nothing from
// elsewhere, never inside another page.
import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

const style = `
:root { color-scheme: light dark; --ink: #1c1917; --soft: #57534e; --paper: #fafaf9; --card: #fff;
  --line: #d6d3d1; --accent: #0f766e; --on-accent: #fff; --warn: #b45309; --warn-paper: #fffbeb;
  --bad: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f5f4; --soft: #a8a29e; --paper: #171412;
  --card: #221e1b; --line: #44403c; --accent: #2dd4bf; --on-accent: #042f2e; --warn: #fbbf24;
  --warn-paper: #2b2111; --bad: #fca5a5; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 27rem; margin: 0 auto; }
.brand { margin: 0 0 1.25rem; color: var(--soft); font-weight: 600; letter-spacing: .02em; }
.card { padding: 1.5rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--card); }
.card > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
dl { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
dl div { padding: .6rem .8rem; }
dl div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.note { margin: 0 0 1.25rem; padding: .7rem .9rem; border-left: .3rem solid var(--warn);
  border-radius: .3rem; background: var(--warn-paper); }
.error { color: var(--bad); font-weight: 600; }
.soft { color: var(--soft); font-size: .9rem; }
label { display: block; margin-bottom: .3rem; font-weight: 600; }
input { width: 100%; margin-bottom: .4rem; padding: .75rem; border: 1px solid var(--soft);
  border-radius: .5rem; background: var(--card); color: inherit; font: inherit; font-size: 1.1rem; }
.code, input.code { font-family: ui-monospace, monospace; letter-spacing: .12em; }
.code { font-size: 1.5rem; font-weight: 700; }
button { width: 100%; min-height: 3rem; margin-top: .6rem; padding: .7rem; border-radius: .5rem;
  border: 1px solid var(--line); background: transparent; color: inherit; font: inherit;
  font-weight: 600; cursor: pointer; }
button.main { border-color: transparent; background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');
const styleElement = new Html([`<style>${style}</style>`], []);

/** A whole page; `title` is its heading as well. */
export function page(title: string, ...content: readonly Html[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Tandry</title>
${styleElement}
</head>
<body>
<main>
<p class="brand">Tandry</p>
<div class="card">
<h1>${title}</h1>
${content}
</div>
</main>
</body>
</html>
`.toString();
}

/** A page that only says something. */
export function notice(title: string, text: string): string {
  return page(title, html`<p role="alert">${text}</p>`);
}

/**
 * Headers of a page whose forms may lead to these places besides our own. A browser applies
 * `form-action` to every redirect after the form, so the places at the end have to be named.
 */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'style-src': `'sha256-${styleHash}'`,
    'form-action': ["'self'", ...formTargets].join(' '),
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  };
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** Where a form may end that goes on to this redirect URI, as a source of a policy. */
export function formTargetOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  // A policy has no form for IPv6 addresses, and schemes of other programs have no host.
  const isNamed = /^https?:$/.test(protocol) && !hostname.startsWith('[');
  return isNamed ? `${protocol}//${host}` : protocol;
}
