// Signing in with a real browser on the whole local stack: what its policies let through, what it
// shows on small screens, and that none of it needs a script.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eras } from '../functions/bindings/mcp/testing/clients.ts';
import { makeCertificate } from '../functions/testing/certificate.ts';
import {
  type Client,
  claudeRedirect,
  exchange,
  register,
  requestOf,
  TokenAnswer,
} from '../functions/testing/oauth-client.ts';
import { launchChromium } from './chromium/launch.ts';
import { windowSizes } from './chromium/sizes.ts';
import { Agent, callHub } from './demo/agent.ts';
import { type ClientHost, startClientHost } from './fixtures/client-host.ts';
import { type Stack, startStack } from './stack.ts';

// The assembly may have to be made first, and a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
const patienceMs = 60_000;

let stack: Stack;
let claude: ClientHost;
let browser: Browser;
beforeAll(async () => {
  claude = await startClientHost(makeCertificate('claude.ai'));
  [stack, browser] = await Promise.all([
    startStack(),
    launchChromium({ 'claude.ai': claude.port }),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), stack?.close()]);
  claude.close();
});

interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly handle: string;
}

let people = 0;

/** Somebody new at a phone. */
async function arrivePerson(javaScriptEnabled = true): Promise<Person> {
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: windowSizes.phone,
    ignoreHTTPSErrors: true,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(patienceMs);
  people += 1;
  return { page: await context.newPage(), context, handle: `person${people}` };
}

const press = ({ page }: Person, name: string) =>
  page.getByRole('button', { name, exact: true }).click();

/** Signs in at the stand-in, whose page the browser is sent to. */
async function signIn(person: Person): Promise<void> {
  await person.page.getByLabel('Email').fill(`${person.handle}@example.com`);
  await press(person, 'Sign in');
}

async function pickHandle(person: Person): Promise<void> {
  await person.page.getByLabel('Handle').fill(person.handle);
  await press(person, 'Continue');
}

const workspace = { repo: 'shop', branch: 'main' };

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('a new person at a browser %s', (_, hasScripts) => {
  test('signs a machine in, picks a handle on the way, and its agent is in a room', async () => {
    const { url: hub } = stack;
    const person = await arrivePerson(hasScripts);
    const { page, handle } = person;
    const { url, userCode, deviceCode } = await callHub(hub, 'login_start', {}, { label: 'A box' });
    await page.goto(url);
    await signIn(person);
    await pickHandle(person);
    await expect.poll(() => page.getByLabel('Code').inputValue()).toBe(userCode);
    await press(person, 'Continue');
    await page.getByText('A box').waitFor();
    expect(await page.getByText('if you started this yourself').count()).toBe(1);
    await press(person, 'Approve');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();

    const status = await callHub(hub, 'login_status', {}, { deviceCode });
    const token = status.state === 'approved' ? status.token : '';
    const agent = new Agent({ hub, token, host: 'codex', workspace });
    onTestFinished(() => agent.close());
    const { code } = (await agent.call('new_room', { name: 'Shop', description: '' })).result;
    const { result } = await agent.join({ room: code, intro: 'On the box.' });
    expect(result.member).toBe(`${handle}/shop`);
  });

  test.each<[string, () => Promise<[ClientHost, Client]>]>([
    [
      'a program on the same machine',
      async () => {
        const host = await startClientHost();
        onTestFinished(host.close);
        return [host, await register(stack, `http://localhost:${host.port}/callback`)];
      },
    ],
    ['a chat of another site', async () => [claude, await register(stack, claudeRedirect)]],
  ])('allows %s and picks a handle on the way; then again, at one press', async (_who, meet) => {
    const person = await arrivePerson(hasScripts);
    const { page, handle } = person;
    const [host, client] = await meet();
    const first = requestOf(stack, client);
    await page.goto(String(first.url));
    await press(person, 'Allow');
    await signIn(person);
    await pickHandle(person);
    const { access_token } = TokenAnswer.parse(
      (await exchange(stack, first, await host.arrival())).body,
    );
    const chat = await eras['2026-07-28'](stack.url, access_token);
    onTestFinished(chat.close);
    const made = await chat.call('new_room', { name: 'Web', description: '' });
    const joined = await chat.call('join', { room: made.structured?.['code'], intro: 'Hello.' });
    expect(joined.structured).toMatchObject({ member: expect.stringMatching(`^${handle}/`) });

    // Now every hop is a redirect of the form: to Cognito, back, and on to the client.
    const second = requestOf(stack, client);
    await page.goto(String(second.url));
    await page.getByText(handle, { exact: true }).waitFor();
    await press(person, 'Allow');
    const returned = await host.arrival();
    expect(returned.searchParams.get('state')).toBe(second.state);
    expect((await exchange(stack, second, returned)).status).toBe(200);

    const third = requestOf(stack, client);
    await page.goto(String(third.url));
    await press(person, 'Decline');
    const told = Object.fromEntries((await host.arrival()).searchParams);
    expect(told).toMatchObject({ error: 'access_denied', state: third.state, iss: stack.url });
  });
});

test('every page fits the narrowest phone, in light and dark, and breaks none of its own rules', async () => {
  const person = await arrivePerson();
  const { page } = person;
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.setViewportSize({ width: 320, height: 640 });
  const seen: string[] = [];
  const look = async (title: string) => {
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const widths = await page.evaluate(
        'JSON.stringify([document.documentElement.scrollWidth, innerWidth])',
      );
      expect(widths, title).toBe('[320,320]');
    }
    // The style is let through by its hash alone.
    const button = page.locator('main button').first();
    const height = (await button.count()) > 0 ? (await button.boundingBox())?.height : 48;
    expect(height, title).toBeGreaterThanOrEqual(44);
    seen.push(title);
  };
  const { url: hub } = stack;
  const label = `${'x'.repeat(60)} ${'y'.repeat(39)}`;
  const { url } = await callHub(hub, 'login_start', {}, { label });
  await page.goto(url);
  await signIn(person);
  await look('Pick your handle');
  await pickHandle(person);
  await look('Sign in a machine');
  await press(person, 'Continue');
  await look('Sign this machine in?');
  await press(person, 'Decline');
  await look('Declined');
  const client = await register(stack, 'http://localhost:1/callback');
  await page.goto(String(requestOf(stack, client).url));
  await look('Connect to your rooms?');
  await page.goto(`${hub}/oauth/consent/unknown`);
  await look('This has expired');
  expect(seen).toHaveLength(6);
  expect(complaints.filter((text) => /Content.Security.Policy/i.test(text))).toEqual([]);
});
