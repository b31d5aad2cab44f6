// A room whose records always fail: they end in the queue for failed batches, and the others go on.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { linkPath } from '../../protocol/frames.ts';
import { mintId } from '../../protocol/ids.ts';
import { encodeHeaders } from '../../protocol/wire.ts';
import { signIn } from '../sign-in.ts';
import { type Stack, startStack } from '../stack.ts';
import { callHub } from './hub-calls.ts';

let stack: Stack;
let token: string;
beforeAll(async () => {
  stack = await startStack({ retryDelayMs: 20 });
  const baseUrl = stack.cognito?.baseUrl ?? '';
  const clientId = stack.outputs['WebsiteClientId'] ?? '';
  token = (await signIn({ baseUrl, clientId, email: 'p@example.test' })).accessToken;
  await callHub(stack.url, 'claim_handle', { token }, { handle: 'poison' });
});
afterAll(() => stack?.close());

const newId = (prefix: 'r_' | 'm_') =>
  mintId(prefix, Date.now(), crypto.getRandomValues(new Uint8Array(10)));

/** A room with a linked member, and what that member is told. */
async function linkedRoom() {
  const room = newId('r_');
  const { code } = await callHub(
    stack.url,
    'new_room',
    { token },
    { id: room, name: 'R', description: '' },
  );
  const caller = { host: 'codex', conversation: newId('m_') } as const;
  const context = { token, room, caller };
  const workspace = { repo: '', branch: '' };
  const { member } = await callHub(stack.url, 'join', context, { code, intro: 'x', workspace });
  const sender = { ...context, caller: { ...caller, conversation: newId('m_') } };
  await callHub(stack.url, 'join', sender, { code, intro: 'x', workspace });
  const told: string[] = [];
  const socket = new WebSocket(`${stack.url.replace(/^http/, 'ws')}${linkPath}`, {
    headers: encodeHeaders(context),
  });
  socket.on('message', (frame) => told.push(frame.toString()));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const say = () =>
    callHub(stack.url, 'send', sender, { id: newId('m_'), to: [member], body: 'hello' });
  return { room, told, say, socket };
}

it('sends the poisoned record to the queue for failed batches and moves on', async () => {
  const [poisoned, healthy] = [await linkedRoom(), await linkedRoom()];
  const notify = stack.functions.logicalIds.find((id) => id.startsWith('Notify')) ?? '';
  const heal = stack.dynamodb.faults.add({
    fault: 'internal-error',
    principal: notify,
    partitionPrefix: `ROOM#${poisoned.room}`,
  });
  const failedBatches = () =>
    Object.entries(stack.metrics().queues).find(([id]) => /^NotifyFailedBatches/.test(id))?.[1];
  const before = failedBatches();
  await poisoned.say();
  await healthy.say();
  await vi.waitFor(() => expect(healthy.told.length).toBeGreaterThan(0), 20_000);
  await vi.waitFor(() => expect(failedBatches()).not.toEqual(before), 60_000);
  expect(poisoned.told).toEqual([]);
  heal();
  // What was lost is a notice, not the message: the next one, or the link's next state, makes up.
  await poisoned.say();
  await vi.waitFor(() => expect(poisoned.told.join()).toContain('"unread":2'), 20_000);
  await healthy.say();
  await vi.waitFor(() => expect(healthy.told.join()).toContain('"unread":2'), 20_000);
  poisoned.socket.terminate();
  healthy.socket.terminate();
}, 120_000);
