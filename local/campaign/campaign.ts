// A fault campaign: members talk while their processes are killed, sockets are cut, disconnects get
// lost, posts are refused, the notifier fails and batches come twice or in pieces. At the end
// everybody has read everything, and nobody with a live link waited long for a notice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mintId } from '../../protocol/ids.ts';
import type { LogLine } from '../lambda/functions.ts';
import { signIn } from '../sign-in.ts';
import { type Stack, startStack } from '../stack.ts';
import { callHub } from './hub-calls.ts';
import {
  bundleMember,
  type Member,
  type MemberPlan,
  startPullMember,
  startPushMember,
} from './members.ts';

export interface CampaignOptions {
  readonly messages: number;
  readonly pushMembers: number;
  readonly pullMembers: number;
  /** Messages under way at once. */
  readonly senders: number;
  /** How much faster than in the protocol the clients' times run. */
  readonly speed: number;
  readonly onProgress?: (line: string) => void;
  /** Lines of the functions. */
  readonly onLog?: (line: LogLine) => void;
}

export interface CampaignReport {
  readonly messages: number;
  readonly deliveries: number;
  /** Deliveries that never came. */
  readonly missing: number;
  /** Deliveries to a pull member beyond the first. */
  readonly doubledAtPull: number;
  /** Deliveries to a push member beyond the first: the same batch came back. */
  readonly repeatedAtPush: number;
  /** From commit to frame, of members with a live link. */
  readonly longestWaitMs: number;
  readonly kills: number;
  readonly cuts: number;
  readonly sendErrors: number;
}

const limits = {
  SEND_BUCKET_SIZE: '1000000',
  SEND_BUCKET_REFILL_PER_MINUTE: '1000000',
  MEMBERS_PER_ROOM: '100',
};
const drainMs = 90_000;
const watchEveryMs = 100;

export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const stack = await startStack({
    envOverrides: limits,
    ...(options.onLog && { onLog: options.onLog }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'tandry-campaign-'));
  const members: Member[] = [];
  try {
    const program = bundleMember(folder);
    members.push(...(await startMembers(stack, options, program)));
    const chaos = createChaos(stack, members);
    const watch = watchWaits(members);
    const sendErrors = await talk(stack.url, members, options);
    chaos.stop();
    await drain(members, options);
    return { ...sum(members, options.messages), ...watch.stop(), ...chaos.counts, sendErrors };
  } finally {
    await Promise.all(members.map((member) => member.close()));
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startMembers(
  stack: Stack,
  options: CampaignOptions,
  program: string,
): Promise<Member[]> {
  const { cognito, url: hub } = stack;
  if (cognito === undefined) throw new Error('the template has no user pool');
  const clientId = stack.outputs['WebsiteClientId'] ?? '';
  const token = (await signIn({ baseUrl: cognito.baseUrl, clientId, email: 'c@example.test' }))
    .accessToken;
  await callHub(hub, 'claim_handle', { token }, { handle: 'campaign' });
  const id = newId('r_');
  const { code } = await callHub(hub, 'new_room', { token }, { id, name: 'C', description: '' });
  const plan = (name: string): MemberPlan => ({
    hub,
    token,
    room: { id, code },
    name,
    speed: options.speed,
    program,
  });
  const push = Array.from({ length: options.pushMembers }, (_, i) =>
    startPushMember(plan(`push-${i}`)),
  );
  const pull = Array.from({ length: options.pullMembers }, (_, i) =>
    startPullMember(plan(`pull-${i}`)),
  );
  return Promise.all([...push, ...pull]);
}

function newId(prefix: 'r_' | 'm_'): string {
  return mintId(prefix, Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

/** Sends all messages, some at a time; one that is refused is sent again under its ID. */
async function talk(hub: string, members: readonly Member[], options: CampaignOptions) {
  let left = options.messages;
  let errors = 0;
  const byAddress = new Map(members.map((member) => [member.ledger.address, member]));

  async function sendOne(): Promise<void> {
    const sender = pick(members);
    const id = newId('m_');
    const to = Math.random() < 0.02 ? '@room' : someOf(members).map((one) => one.ledger.address);
    for (;;) {
      try {
        const sent = await callHub(hub, 'send', sender.context, { id, to, body: `message ${id}` });
        for (const { address } of sent.recipients) {
          byAddress.get(address)?.ledger.owe(id, sent.seq, Date.now());
        }
        return;
      } catch {
        errors += 1;
      }
    }
  }

  await Promise.all(
    Array.from({ length: options.senders }, async () => {
      while (left > 0) {
        left -= 1;
        if (left % 500 === 0) options.onProgress?.(`${left} messages to go`);
        await sendOne();
      }
    }),
  );
  return errors;
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

function someOf(members: readonly Member[]): readonly Member[] {
  return Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => pick(members));
}

const postings: readonly { readonly refuses: 'gone' | 'limit' | undefined }[] = [
  { refuses: undefined },
  { refuses: undefined },
  { refuses: undefined },
  { refuses: 'gone' },
  { refuses: 'limit' },
];

/** Faults that come and go until it is stopped. */
function createChaos(stack: Stack, members: readonly Member[]) {
  const counts = { kills: 0, cuts: 0 };
  const push = members.filter(({ tier }) => tier === 'push');
  const notify = stack.functions.logicalIds.find((id) => id.startsWith('Notify')) ?? '';
  // One record in twenty: three attempts of the SDK fail in a row with this probability each.
  const heal = stack.dynamodb.faults.add({
    fault: 'internal-error',
    principal: notify,
    operation: 'GetItem',
    probability: 0.05 ** (1 / 3),
  });
  stack.streamFaults.repeats = true;
  stack.linkFaults.dropsDisconnects = true;
  const timers = [
    setInterval(() => {
      pick(push).kill();
      counts.kills += 1;
    }, 3_000),
    setInterval(() => {
      const id = stack.connections.ids.at(Math.floor(Math.random() * stack.connections.ids.length));
      if (id === undefined) return;
      stack.connections.find(id)?.socket?.terminate();
      counts.cuts += 1;
    }, 1_500),
    setInterval(() => {
      stack.linkFaults.refusesPosts = pick(postings).refuses;
      stack.streamFaults.maxBatchSize = pick([1, 3, Number.POSITIVE_INFINITY]);
    }, 400),
  ];
  return {
    counts,
    stop() {
      for (const timer of timers) clearInterval(timer);
      heal();
      stack.linkFaults.refusesPosts = undefined;
      stack.linkFaults.dropsDisconnects = false;
      stack.streamFaults.repeats = false;
      stack.streamFaults.maxBatchSize = Number.POSITIVE_INFINITY;
    },
  };
}

function watchWaits(members: readonly Member[]) {
  let longestMs = 0;
  const look = () => {
    const nowMs = Date.now();
    for (const { ledger, tier } of members) {
      if (tier === 'push') longestMs = Math.max(longestMs, ledger.waitingMs(nowMs));
    }
  };
  const timer = setInterval(look, watchEveryMs);
  return {
    stop() {
      clearInterval(timer);
      const told = members.flatMap(({ ledger }) => ledger.waitsMs);
      return { longestWaitMs: told.reduce((a, b) => Math.max(a, b), longestMs) };
    },
  };
}

/** Waits until nobody is owed anything any more, or for so long that it will not come. */
async function drain(members: readonly Member[], options: CampaignOptions): Promise<void> {
  const untilMs = Date.now() + drainMs;
  const outstanding = () => members.reduce((sum, { ledger }) => sum + ledger.outstanding, 0);
  while (outstanding() > 0 && Date.now() < untilMs) await pause(watchEveryMs);
  options.onProgress?.(`${outstanding()} deliveries outstanding`);
}

function sum(members: readonly Member[], messages: number) {
  const extra = (tier: 'push' | 'pull') =>
    members
      .filter((member) => member.tier === tier)
      .flatMap(({ ledger }) => [...ledger.deliveries.values()])
      .reduce((total, times) => total + times - 1, 0);
  return {
    messages,
    deliveries: members.reduce((total, { ledger }) => total + ledger.deliveries.size, 0),
    missing: members.reduce((total, { ledger }) => total + ledger.outstanding, 0),
    doubledAtPull: extra('pull'),
    repeatedAtPush: extra('push'),
  };
}
