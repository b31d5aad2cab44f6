// Stands in for a person and their browser: opens the URL it is given, allows what asks, signs in,
// picks a handle, and goes where the last page leads.
import { createBrowser, readForm } from '../../local/cognito/browser.ts';

const pagesMax = 6;
const answers = { decision: 'allow', email: 'ana@example.com', handle: 'ana' };

const [, , hub = '', login = '', url = ''] = process.argv;
const browser = createBrowser(hub, login);
let shown = await browser.open(url);
for (let pages = 0; pages < pagesMax && !(shown instanceof URL); pages += 1) {
  const form = readForm(await shown.text());
  if (form === null) throw new Error(`no form at ${shown.url}`);
  shown = await browser.open(new URL(form.action, shown.url), { ...form.fields, ...answers });
}
if (!(shown instanceof URL)) throw new Error(`it did not end: ${shown.url}`);
await fetch(shown);
