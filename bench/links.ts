// From a message to the frame that tells of it: how long, how many frames, and what of it is the
// local reading of the stream.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { callHub } from '../local/campaign/hub-calls.ts';
import { signIn } from '../local/sign-in.ts';
import { type Stack, startStack } from '../local/stack.ts';
import { decodeHubFrame, linkPath } from '../protocol/frames.ts';
import { mintId } from '../protocol/ids.ts';
import { type CallContext, encodeHeaders } from '../protocol/wire.ts';
import { quantile } from './statistics.ts';

export interface LinkFigures {
  /** From the answer of `send` to the frame, in milliseconds. */
  readonly sendToFrame: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** The part of it until the notifier was invoked: reading the stream, in milliseconds. */
  readonly streamP50: number;
  /** From the answer of an `@room` to the last of all linked members' frames. */
  readonly lastOfRoomMs: number;
  readonly linkedMembers: number;
  /** Frames that a burst to one member became. */
  readonly burstFrames: number;
  readonly burstMessages: number;
}

const limits = {
  SEND_BUCKET_SIZE: '1000000',
  SEND_BUCKET_REFILL_PER_MINUTE: '1000000',
  MEMBERS_PER_ROOM: '1000',
};
const frameTimeoutMs = 30_000;
const burstMessages = 100;

interface Linked {
  readonly context: Required<CallContext>;
  readonly address: string;
  /** Frames so far: until which seq, and when. */
  readonly frames: { readonly upTo: number; readonly atMs: number }[];
  readonly socket: WebSocket;
}

/** Measures on a stack of its own; `messages` for the latency, `members` for the broadcast. */
export async function measureLinks(messages: number, members: number): Promise<LinkFigures> {
  const invoked: number[] = [];
  const stack = await startStack({
    envOverrides: limits,
    onReport: ({ functionId, durationMs }) => {
      if (functionId.startsWith('Notify')) invoked.push(performance.now() - durationMs);
    },
  });
  const linked: Linked[] = [];
  try {
    const join = await createRoom(stack);
    const sender = await join('sender');
    for (let i = 0; i < members; i += 1)
      linked.push(await openLink(stack.url, await join(`m-${i}`)));
    const [first] = linked;
    if (first === undefined) throw new Error('at least one member has to be linked');
    const waits = await latencies(stack, sender.context, first, messages, invoked);
    return {
      sendToFrame: {
        p50: quantile(waits.toFrame, 0.5),
        p95: quantile(waits.toFrame, 0.95),
        p99: quantile(waits.toFrame, 0.99),
      },
      streamP50: quantile(waits.toNotifier, 0.5),
      lastOfRoomMs: await broadcast(stack, sender.context, linked),
      linkedMembers: linked.length,
      burstFrames: await burst(stack, sender.context, first),
      burstMessages,
    };
  } finally {
    for (const { socket } of linked) socket.terminate();
    await stack.close();
  }
}

async function createRoom({ cognito, outputs, url }: Stack) {
  const clientId = outputs['WebsiteClientId'] ?? '';
  const baseUrl = cognito?.baseUrl ?? '';
  const { accessToken: token } = await signIn({ baseUrl, clientId, email: 'b@example.test' });
  await callHub(url, 'claim_handle', { token }, { handle: 'bench' });
  const room = newId('r_');
  const description = '';
  const { code } = await callHub(url, 'new_room', { token }, { id: room, name: 'B', description });
  return async (name: string) => {
    const context = { token, room, caller: { host: 'codex', conversation: name } } as const;
    const workspace = { repo: '', branch: '' };
    const joined = await callHub(url, 'join', context, { code, intro: 'x', name, workspace });
    return { context, address: joined.member };
  };
}

function newId(prefix: 'r_' | 'm_'): string {
  return mintId(prefix, Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

async function openLink(hub: string, member: Omit<Linked, 'frames' | 'socket'>): Promise<Linked> {
  const frames: Linked['frames'] = [];
  const socket = new WebSocket(`${hub.replace(/^http/, 'ws')}${linkPath}`, {
    headers: encodeHeaders(member.context),
  });
  socket.on('message', (text) => {
    const frame = decodeHubFrame(text.toString());
    if (frame?.t === 'notify') frames.push({ upTo: frame.upTo, atMs: performance.now() });
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ t: 'state', wakeable: true }));
  return { ...member, frames, socket };
}

/** When the member was first told of this seq. */
async function toldAt({ frames, socket }: Linked, seq: number): Promise<number> {
  const signal = AbortSignal.timeout(frameTimeoutMs);
  for (;;) {
    const frame = frames.find(({ upTo }) => upTo >= seq);
    if (frame !== undefined) return frame.atMs;
    await once(socket, 'message', { signal });
  }
}

async function say({ url }: Stack, from: Required<CallContext>, to: string[] | '@room') {
  const { seq } = await callHub(url, 'send', from, { id: newId('m_'), to, body: 'hello' });
  return { seq, answeredMs: performance.now() };
}

async function latencies(
  stack: Stack,
  from: Required<CallContext>,
  to: Linked,
  messages: number,
  invoked: readonly number[],
) {
  const sent: { answeredMs: number; framedMs: number }[] = [];
  for (let i = 0; i < messages; i += 1) {
    const { seq, answeredMs } = await say(stack, from, [to.address]);
    sent.push({ answeredMs, framedMs: await toldAt(to, seq) });
    await callHub(stack.url, 'read', to.context, { upTo: seq });
  }
  // A notifier is reported when it ends, after the frame it posted.
  const notifierOf = (framedMs: number) => invoked.findLast((startedMs) => startedMs <= framedMs);
  return {
    // The frame can overtake the answer: both are on their way once the commit has happened.
    toFrame: sent.map(({ answeredMs, framedMs }) => Math.max(0, framedMs - answeredMs)),
    toNotifier: sent.map(({ answeredMs, framedMs }) =>
      Math.max(0, (notifierOf(framedMs) ?? answeredMs) - answeredMs),
    ),
  };
}

async function broadcast(
  stack: Stack,
  from: Required<CallContext>,
  linked: readonly Linked[],
): Promise<number> {
  const { seq, answeredMs } = await say(stack, from, '@room');
  const told = await Promise.all(linked.map((member) => toldAt(member, seq)));
  return Math.max(...told) - answeredMs;
}

async function burst(stack: Stack, from: Required<CallContext>, to: Linked): Promise<number> {
  const before = to.frames.length;
  const sent = await Promise.all(
    Array.from({ length: burstMessages }, () => say(stack, from, [to.address])),
  );
  await toldAt(to, Math.max(...sent.map(({ seq }) => seq)));
  return to.frames.length - before;
}
