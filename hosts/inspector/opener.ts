// Stands in for a person and their browser: opens the URL it is given, allows what asks, signs in,
// picks a handle, and goes where the last page leads.
import { fillIn } from '../../conformance/local-person.ts';
import { createBrowser } from '../../local/cognito/browser.ts';

const answers = { decision: 'allow', email: 'ana@example.com', handle: 'ana' };

const [, , hub = '', login = '', url = ''] = process.argv;
const left = await fillIn(createBrowser(hub, login), url, answers);
if (left === undefined) throw new Error('the last page leads nowhere');
await fetch(left);
