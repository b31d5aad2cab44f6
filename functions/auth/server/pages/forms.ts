// The pages on which a person decides something.
import { inline } from '../../../../protocol/render/plain.ts';
import { formatUserCode } from '../../../domain/user-code.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';

/** What every form has: where it goes and the proof that this page made it. */
interface Form {
  readonly action: string;
  readonly csrf: string;
}

interface Row {
  readonly name: string;
  readonly value: string;
}

const fact = ({ name, value }: Row): Html =>
  html`<div><dt>${name}</dt><dd>${inline(value)}</dd></div>`;

const facts = (rows: readonly Row[]): Html => html`<dl>${rows.map(fact)}</dl>`;

const form = ({ action, csrf }: Form, content: Html): Html =>
  html`<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
${content}
</form>`;

const failure = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="error" role="alert">${text}</p>`;

export interface ConsentPage extends Form {
  /** What the client calls itself: never shown as if it were who it is. */
  readonly clientName: string | undefined;
  /** Host of the client's ID, or that it has none. */
  readonly clientHost: string | undefined;
  readonly redirectHost: string;
  /** On the person's own computer, where one program cannot be told from another. */
  readonly isNearby: boolean;
  /** Whose account, if this browser was signed in lately; undefined if nobody knows yet. */
  readonly account: string | undefined;
}

export function consentPage(consent: ConsentPage): string {
  const { clientName, clientHost, redirectHost, account } = consent;
  const rows = [
    { name: 'Who asks', value: clientHost ?? 'A program that registered itself here' },
    ...(clientName === undefined ? [] : [{ name: 'It calls itself', value: clientName }]),
    { name: 'You are sent back to', value: redirectHost },
    { name: 'It may', value: 'Read and write in your rooms, as you' },
    { name: 'Account', value: account ?? 'The one you sign in with next' },
  ];
  const another = html`<button name="decision" value="another">Allow for another account</button>`;
  return page(
    'Connect to your rooms?',
    facts(rows),
    consent.isNearby
      ? html`<p class="note">This goes to a program on your own computer, and any program there can
ask like this. Allow it only if you started it just now.</p>`
      : html`<p class="soft">Allow this only if you started it there yourself.</p>`,
    form(
      consent,
      html`<button class="main" name="decision" value="allow">Allow</button>
${account === undefined ? undefined : another}
<button name="decision" value="decline">Decline</button>`,
    ),
  );
}

export interface CodePage extends Form {
  readonly userCode: string;
  readonly account: string;
  readonly error: string | undefined;
}

export function codePage(code: CodePage): string {
  return page(
    'Sign in a machine',
    html`<p>Signed in as <strong>${code.account}</strong>.</p>
<p>Enter the code that your agent or program shows. If one stands here already, compare it
first.</p>`,
    form(
      code,
      html`${failure(code.error)}
<label for="code">Code</label>
<input class="code" id="code" name="user_code" value="${code.userCode}" placeholder="XXXX-XXXX"
autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus>
<button class="main">Continue</button>
<button name="decision" value="another" formnovalidate>Use another account</button>`,
    ),
  );
}

export interface ReviewPage extends Form {
  /** Canonical form. */
  readonly userCode: string;
  readonly account: string;
  /** What asks to be signed in, as it says. */
  readonly rows: readonly Row[];
}

export function reviewPage(review: ReviewPage): string {
  const code = formatUserCode(review.userCode);
  return page(
    'Sign this machine in?',
    html`<p class="code">${code}</p>`,
    facts([...review.rows, { name: 'It will act as', value: review.account }]),
    html`<p class="note">Approve only if you started this yourself, just now, and the code stands on
your own screen. If somebody sent you the code or the link, decline: they would get into your
rooms.</p>`,
    form(
      review,
      html`<input type="hidden" name="user_code" value="${code}">
<button class="main" name="decision" value="approve">Approve</button>
<button name="decision" value="decline">Decline</button>`,
    ),
  );
}

export interface HandlePage extends Form {
  readonly handle: string;
  readonly error: string | undefined;
}

export function handlePage(handle: HandlePage): string {
  return page(
    'Pick your handle',
    html`<p>Others see it in front of your agents’ names, as in <strong>ana/reviewer</strong>. It is
yours for good: it cannot be changed later.</p>`,
    form(
      handle,
      html`${failure(handle.error)}
<label for="handle">Handle</label>
<input id="handle" name="handle" value="${handle.handle}" autocomplete="off" autocapitalize="none"
spellcheck="false" maxlength="24" required autofocus aria-describedby="rule">
<p class="soft" id="rule">3 to 24 of a–z, 0–9 and _, a letter first.</p>
<button class="main">Continue</button>`,
    ),
  );
}
