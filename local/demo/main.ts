// `npm run demo`: a whole Hub in memory, and on it either three agents in a room, with every word
// that they read, or a machine that is signed in.
import { parseArgs } from 'node:util';
import { launchChromium } from '../chromium/launch.ts';
import { SignInError, signIn } from '../sign-in.ts';
import { type Stack, startStack } from '../stack.ts';
import { StartError } from '../start-error.ts';
import { openCamera } from './camera.ts';
import { playLogin } from './login.ts';
import { show } from './show.ts';
import { playStory } from './story.ts';

const usage = `Usage: npm run demo -- [options]

Runs a Hub in memory and shows three agents who meet in a room.

  --login            Show instead how a machine is signed in, in a real browser (Chromium)
  --screenshots DIR  With --login: put pictures of its pages there
  --help             Show this`;

function readArguments() {
  const options = {
    login: { type: 'boolean', default: false },
    screenshots: { type: 'string' },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (values.login || values.screenshots === undefined) return values;
    throw new Error('--screenshots goes with --login.');
  } catch (error) {
    const [problem] = String(error instanceof Error ? error.message : error).split(/\. |\n/);
    throw new StartError(`${problem?.replace(/\.$/, '')}. See npm run demo -- --help`);
  }
}

async function showAgents({ url: hub, cognito, outputs }: Stack): Promise<void> {
  const clientId = outputs['WebsiteClientId'];
  if (cognito === undefined || clientId === undefined) {
    throw new StartError('The stack has nowhere to sign in.');
  }
  console.log(`A Hub runs in memory at ${hub}, and alice, bob and carol sign in to it.`);
  console.log('Their agents meet in a room; behind the bar stands what an agent reads.');
  await playStory({
    hub,
    show,
    signIn: async (name) => {
      const email = `${name}@example.test`;
      return (await signIn({ baseUrl: cognito.baseUrl, clientId, email })).accessToken;
    },
  });
}

async function showLogin({ url: hub }: Stack, screenshots: string | undefined): Promise<void> {
  const browser = await launchChromium();
  try {
    console.log(`A Hub runs in memory at ${hub}, and a machine is signed in to it.`);
    console.log('Behind the bar stands what the agent reads, or what a page says.');
    await playLogin({ hub, browser, show, takePicture: openCamera(screenshots) });
    if (screenshots !== undefined) console.log(`\nThe pages are in ${screenshots}.`);
  } finally {
    await browser.close();
  }
}

async function main(): Promise<void> {
  const { login, screenshots, help } = readArguments();
  if (help) {
    console.log(usage);
    return;
  }
  const stack = await startStack({
    mode: 'worker',
    onSynth: () => console.log('Reading the infrastructure (a few seconds, after a change only)…'),
  });
  try {
    await (login ? showLogin(stack, screenshots) : showAgents(stack));
    console.log('\nNothing of this is kept. To run a Hub of your own: npm start');
  } finally {
    await stack.close();
  }
}

try {
  await main();
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof SignInError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}
