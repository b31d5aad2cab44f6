// `npm run demo -- --login`: a machine gets a code, a person signs in and approves it in a real
// browser, the machine joins a room; then a chat on the web asks for access as well.
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod';
import type { OperationResult } from '../../protocol/operations/index.ts';
import { renderLogin } from '../../protocol/render/login.ts';
import { windowSizes } from '../chromium/sizes.ts';
import { Agent, callHub } from './agent.ts';
import type { Camera } from './camera.ts';
import type { Show } from './show.ts';

export interface LoginScene {
  readonly hub: string;
  readonly browser: Browser;
  readonly show: Show;
  readonly takePicture: Camera;
}

/** For each page; a busy machine takes its time. */
const patienceMs = 60_000;
const label = 'Ana’s laptop';
const email = 'ana@example.test';
const handle = 'ana';
/** Where Claude’s chats take their codes. */
const claudeRedirect = 'https://claude.ai/api/mcp/auth_callback';

/** Plays the whole login. */
export async function playLogin(scene: LoginScene): Promise<void> {
  const { hub, browser, show } = scene;
  const started = await callHub(hub, 'login_start', {}, { label });
  show(
    'A machine asks to be signed in, and its agent reads',
    renderLogin({ ...started, state: 'started' }),
  );
  const context = await browser.newContext({ viewport: windowSizes.phone });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  await approve(scene, page, started);
  const { deviceCode } = started;
  const status = await callHub(hub, 'login_status', {}, { deviceCode });
  if (status.state !== 'approved') throw new Error(`the login is ${status.state}`);
  show('The machine asks again, and its agent reads', renderLogin(status));
  await joinRoom(scene, status.token);
  await askForConsent(scene, page);
  await context.close();
}

/** What the page says: its heading and all that follows. */
async function readCard(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, line by line
  const text = await page.locator('main').innerText();
  return text.replace(/\n\s*\n/g, '\n');
}

async function approve(
  { show, takePicture }: LoginScene,
  page: Page,
  { url, userCode }: OperationResult<'login_start'>,
): Promise<void> {
  const look = async (what: string, name: string) => {
    show(what, await readCard(page));
    await takePicture(page, name);
  };
  await page.goto(url);
  await look('The owner opens the URL, and has to sign in first', 'sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/oauth/handle/**');
  await look('The account is new, so the owner picks a handle', 'handle');
  await page.getByLabel('Handle').fill(handle);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/device\?/);
  await look(`The device page has the code of the URL in its field: ${userCode}`, 'device');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await look('The owner sees what asks', 'approval');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL('**/device/decide');
  await look('The owner approves', 'done');
}

/** The token does what tokens are for: the machine’s agent makes a room and joins it. */
async function joinRoom({ hub, show }: LoginScene, token: string): Promise<void> {
  const workspace = { repo: 'shop', branch: 'main' };
  const agent = new Agent({ hub, token, host: 'claude', workspace });
  try {
    const about = { name: 'Shop', description: 'All about the shop.' };
    const { code } = (await agent.call('new_room', about)).result;
    const joined = await agent.join({ room: code, intro: 'Working on the shop.' });
    show(`The machine’s agent joins room ${code}`, joined.text);
  } finally {
    agent.close();
  }
}

const Registered = z.object({ client_id: z.string() });

/** As a chat on the web does it; nobody is there to take the code, so the owner declines. */
async function askForConsent({ hub, show, takePicture }: LoginScene, page: Page): Promise<void> {
  const response = await fetch(`${hub}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A chat', redirect_uris: [claudeRedirect] }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const { client_id } = Registered.parse(await response.json());
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: claudeRedirect,
    state: 'demo',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: `${hub}/mcp`,
  });
  await page.goto(`${hub}/oauth/authorize?${asked}`);
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  show('A chat on the web asks to connect as well', await readCard(page));
  await takePicture(page, 'consent');
}
