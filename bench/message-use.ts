// What one message takes from its sender to its reader, call by call, measured.
import type { LinkHub } from '../functions/operations/link/connections.ts';
import { notifyRoom } from '../functions/operations/link/notify-room.ts';
import { keys } from '../functions/store/keys.ts';
import { startTestHub, type TestHub } from '../functions/testing/test-hub.ts';
import { createTestLinks } from '../functions/testing/test-links.ts';
import type { Units } from './budgets.ts';
import { bytesOf } from './item-bytes.ts';
import { prose } from './prose.ts';
import { type SeededMember, seedRoom } from './seed.ts';
import { median } from './statistics.ts';

/** One call: its units, and its time with latencies as on AWS. */
export interface Use {
  readonly units: Units;
  readonly ms: number;
}

/** 1 KB of English to a room in which everybody has a link; each reads it at once. */
export interface MessageUse {
  readonly recipients: number;
  readonly send: Use;
  /** The notifier, for this message alone. */
  readonly notify: Use;
  readonly frames: number;
  readonly inbox: Use;
  readonly read: Use;
  /** Header and body, as DynamoDB counts them. */
  readonly storedBytes: number;
}

const rounds = 5;
const patienceMs = 5_000;

export async function measureMessage(recipients: number): Promise<MessageUse> {
  const bucket = { size: 1e6, refillPerMinute: 1e6 };
  const h = await startTestHub({ policy: { membersPerRoom: recipients + 1, bucket } });
  try {
    const shape = { members: recipients + 1, messages: 10, host: 'claude' } as const;
    const [sender, ...readers] = (await seedRoom(h, shape)).members;
    if (sender === undefined) throw new Error('nobody to send');
    const links = createTestLinks(h);
    for (const reader of readers) {
      const { connection } = await links.open(reader);
      await links.state(connection, { t: 'state', wakeable: true });
    }
    h.db.latency.set({ scale: 1 });
    const uses: Omit<MessageUse, 'recipients'>[] = [];
    while (uses.length < rounds) uses.push(await oneMessage(h, sender, readers));
    return { recipients, ...typical(uses) };
  } finally {
    await h.close();
  }
}

async function oneMessage(
  h: TestHub,
  sender: SeededMember,
  readers: readonly SeededMember[],
): Promise<Omit<MessageUse, 'recipients'>> {
  const { table } = h.hub;
  const hub: LinkHub = {
    table,
    connections: { post: async () => 'sent', close: async () => {} },
  };
  let seq = 0;
  let frames = 0;
  const id = h.newId('m_');
  const send = await use(h, async () => {
    const message = { id, to: '@room' as const, body: prose(1_024) };
    ({ seq } = await h.call('send', sender, message));
  });
  const notify = await use(h, async () => {
    const news = { room: sender.room, seqs: [seq], links: [] };
    frames = await notifyRoom(hub, news, table.nowMs() + patienceMs);
  });
  const inboxes: Use[] = [];
  const reads: Use[] = [];
  for (const reader of readers) {
    inboxes.push(await use(h, () => h.call('inbox', reader, {})));
    reads.push(await use(h, () => h.call('read', reader, { upTo: seq })));
  }
  const storedBytes = await bytesOf(h, [keys.log(sender.room, seq), keys.message(id)]);
  const [inbox, read] = [typicalUse(inboxes), typicalUse(reads)];
  return { send, notify, frames, inbox, read, storedBytes };
}

async function use(h: TestHub, work: () => Promise<unknown>): Promise<Use> {
  const startedMs = performance.now();
  const { writes, reads } = await h.db.ledger.measure(work);
  return { units: { writes, reads }, ms: performance.now() - startedMs };
}

function typicalUse(uses: readonly Use[]): Use {
  return {
    units: {
      writes: median(uses.map(({ units }) => units.writes)),
      reads: median(uses.map(({ units }) => units.reads)),
    },
    ms: median(uses.map(({ ms }) => ms)),
  };
}

function typical(uses: readonly Omit<MessageUse, 'recipients'>[]): Omit<MessageUse, 'recipients'> {
  return {
    send: typicalUse(uses.map(({ send }) => send)),
    notify: typicalUse(uses.map(({ notify }) => notify)),
    frames: median(uses.map(({ frames }) => frames)),
    inbox: typicalUse(uses.map(({ inbox }) => inbox)),
    read: typicalUse(uses.map(({ read }) => read)),
    storedBytes: median(uses.map(({ storedBytes }) => storedBytes)),
  };
}
