// `npm run demo`: a whole Hub in memory, three agents in a room, and every word that they read.
import { SignInError, signIn } from '../sign-in.ts';
import { startStack } from '../stack.ts';
import { StartError } from '../start-error.ts';
import { playStory } from './story.ts';

/** Text that somebody read stands behind a bar, so that it is told from what happened. */
function show(what: string, text: string): void {
  console.log(`\n● ${what}`);
  for (const line of text.split('\n')) console.log(`  │ ${line}`.trimEnd());
}

async function main(): Promise<void> {
  const stack = await startStack({
    mode: 'worker',
    onSynth: () => console.log('Reading the infrastructure (a few seconds, after a change only)…'),
  });
  try {
    const { url: hub, cognito, outputs } = stack;
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
