// What happens in the demo: three people's agents meet in a room; two of them also talk in private.
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationResult } from '../../protocol/operations/index.ts';
import { notice } from '../../protocol/render/notice.ts';
import type { OperationTool, ToolInput } from '../../protocol/tools.ts';
import { Agent, callHub } from './agent.ts';
import type { Show } from './show.ts';

export interface Scene {
  readonly hub: string;
  /** Signs a person in as on the website and gives the access token. */
  readonly signIn: (name: string) => Promise<string>;
  readonly show: Show;
}

const onlineDeadlineMs = 15_000;
const onlinePollMs = 100;

/** An agent under the name the demo prints. */
interface Actor {
  readonly name: string;
  readonly agent: Agent;
}

async function enter({ hub, signIn }: Scene, person: string): Promise<string> {
  const token = await signIn(person);
  await callHub(hub, 'claim_handle', { token }, { handle: person });
  return token;
}

/** Calls a tool and shows the call as the model wrote it, with the result as the model reads it. */
async function act<Name extends OperationTool>(
  { show }: Scene,
  { name, agent }: Actor,
  tool: Name,
  args: ToolInput<Name>,
): Promise<OperationResult<Name>> {
  const { result, text } = await agent.call(tool, args);
  show(`${name} calls ${tool} ${JSON.stringify(args)}`, text);
  return result;
}

/** Shows the notice of everything up to this message, which reaches the agent by itself. */
async function wake({ show }: Scene, { name, agent }: Actor, seq: number): Promise<void> {
  show(`${name} is woken by a notice`, notice(await agent.notified(seq)));
}

/** Shows the notice, and the inbox that the agent then reads. */
async function receive(scene: Scene, actor: Actor, seq: number) {
  await wake(scene, actor, seq);
  const { result, text } = await actor.agent.readInbox();
  scene.show(`${actor.name} calls inbox {}`, text);
  return result;
}

/** The Hub hears of links through their state frames, a moment after they are opened. */
async function untilOnline({ agent }: Actor): Promise<void> {
  const untilMs = Date.now() + onlineDeadlineMs;
  for (;;) {
    const { members } = (await agent.call('members', {})).result;
    if (members.every(({ state }) => state === 'online')) return;
    if (Date.now() > untilMs) throw new Error('the agents did not come online');
    await sleep(onlinePollMs);
  }
}

/** Plays the whole demo. */
export async function playStory(scene: Scene): Promise<void> {
  const { hub } = scene;
  const agents: Agent[] = [];
  const hire = (name: string, options: Omit<ConstructorParameters<typeof Agent>[0], 'hub'>) => {
    const agent = new Agent({ hub, ...options });
    agents.push(agent);
    return { name, agent };
  };
  try {
    const [alice, bob, carol] = [
      await enter(scene, 'alice'),
      await enter(scene, 'bob'),
      await enter(scene, 'carol'),
    ];
    const codex = hire('codex of alice', {
      token: alice,
      host: 'codex',
      workspace: { repo: 'shop', branch: 'checkout-tests' },
    });
    const claude = hire('claude of bob', {
      token: bob,
      host: 'claude',
      workspace: { repo: 'shop', branch: 'payment-api' },
    });
    const opencode = hire('opencode of carol', {
      token: carol,
      host: 'opencode',
      workspace: { repo: 'shop-docs', branch: 'main' },
    });
    await converse(scene, codex, claude, opencode);
  } finally {
    for (const agent of agents) agent.close();
  }
}

async function converse(scene: Scene, codex: Actor, claude: Actor, opencode: Actor) {
  const { show } = scene;
  const about = { name: 'Checkout', description: 'Moving the checkout to the new payment API.' };
  const { code } = await act(scene, codex, 'new_room', about);
  const tests = { room: code, name: 'Checkout tests', intro: 'Writing the tests of the checkout.' };
  const { result: arrived } = await codex.agent.join(tests);
  const api = { room: code, name: 'Payment API', intro: 'Building the new payment API.' };
  const joined = await claude.agent.join(api);
  const docs = { room: code, name: 'Docs', intro: 'Keeping the docs of the shop up to date.' };
  const { result: third } = await opencode.agent.join(docs);
  show('codex and opencode join the room', `as ${arrived.member} and ${third.member}`);
  show(`${claude.name} calls join ${JSON.stringify(api)}`, joined.text);
  await untilOnline(claude);

  const question = await act(scene, claude, 'send', {
    to: [arrived.member],
    body: 'Which field holds the currency in your fixtures: "currency" or "iso"?',
  });
  const [asked] = (await receive(scene, codex, question.seq)).messages;
  const answer = await act(scene, codex, 'send', {
    to: [],
    body: '"currency", always three letters. Done in fixtures/orders.json.',
    replyTo: asked?.id,
  });
  await receive(scene, claude, answer.seq);
  const secret = await act(scene, claude, 'send', {
    to: [arrived.member],
    body: 'Between us: the sandbox key expires tonight. Please rerun the tests before six.',
    dm: true,
  });
  await receive(scene, codex, secret.seq);
  const news = await act(scene, codex, 'send', {
    to: '@room',
    body: 'All 48 tests of the checkout pass against the new payment API.',
  });
  await wake(scene, opencode, news.seq);
  await act(scene, opencode, 'history', {});
  const readers = await readersOf(secret.id, [codex, claude, opencode]);
  show('Whose history holds the private message', readers.join(' and '));
}

/** Names of those that have a message in their history. */
async function readersOf(id: string, actors: readonly Actor[]): Promise<string[]> {
  const readers: string[] = [];
  for (const { name, agent } of actors) {
    const { messages } = (await agent.call('history', {})).result;
    if (messages.some((message) => message.id === id)) readers.push(name);
  }
  return readers;
}
