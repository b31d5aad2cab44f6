// What the bench prints, section by section.
import { startTestHub } from '../functions/testing/test-hub.ts';
import { contention, loadTimeRatio, type Units } from './budgets.ts';
import { functionNames, loadBundles, loadRatio, yardstick } from './bundles.ts';
import { bill, totalOf } from './cost.ts';
import { type Company, companies, measureCompany, storages } from './latency.ts';
import { measureLinks } from './links.ts';
import { type MessageUse, measureMessage } from './message-use.ts';
import { prices } from './prices.ts';
import { seedRoom } from './seed.ts';
import { median, quantile } from './statistics.ts';
import { type Cell, printTable } from './table.ts';
import { type Measured, measures } from './units.ts';

type Section = (isQuick: boolean) => Promise<void>;

export const sections: Readonly<Record<string, Section>> = { units, latency, links, bundles, cost };

async function units(isQuick: boolean): Promise<void> {
  const members = isQuick ? [2, 50] : [2, 50, 500];
  const messages = isQuick ? [10, 2_000] : [10, 10_000, 100_000];
  for (const count of members) {
    const columns: Measured[][] = [];
    for (const length of messages) columns.push(await measureRoom(count, length));
    printTable(
      `Units in a room of ${count}: writes / reads (+ reads for its recipients' presence)`,
      ['operation', 'budget', ...messages.map((length) => `after ${length} messages`)],
      Object.keys(measures).map((name, row) => [
        name,
        unitsText(columns[0]?.[row]?.budget),
        ...columns.map((column) => measuredText(column[row])),
      ]),
    );
  }
}

async function measureRoom(members: number, messages: number): Promise<Measured[]> {
  const bucket = { size: 1e6, refillPerMinute: 1e6 };
  const h = await startTestHub({ policy: { membersPerRoom: members + 1, bucket } });
  try {
    const room = await seedRoom(h, { members, messages });
    const measured: Measured[] = [];
    for (const measure of Object.values(measures)) measured.push(await measure(h, room));
    return measured;
  } finally {
    await h.close();
  }
}

function unitsText(units: Units | undefined): string {
  if (units === undefined) return '';
  const bound = (count: number) => (Number.isFinite(count) ? String(count) : 'any');
  return `${bound(units.writes)} / ${bound(units.reads)}`;
}

function measuredText(measured: Measured | undefined): string {
  if (measured === undefined) return '';
  const { used, budget, presence } = measured;
  const isOver = used.writes > budget.writes || used.reads > budget.reads;
  return unitsText(used) + (presence ? ` + ${presence}` : '') + (isOver ? '  OVER' : '');
}

async function latency(isQuick: boolean): Promise<void> {
  for (const storage of storages) {
    const rows: Cell[][] = [];
    for (const company of companies) {
      const rounds = isQuick ? Math.ceil(company.rounds / 3) : company.rounds;
      const { times, attempts, requests } = await measureCompany(storage, { ...company, rounds });
      const [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1].map((share) => quantile(times, share));
      rows.push([nameOf(company), ...[p50, p90, p99, max].map((ms) => Math.round(ms ?? 0))]);
      rows.at(-1)?.push(attempts, requests);
    }
    printTable(
      `A send on storage: ${storage.name} (milliseconds; transactions and requests for each send)`,
      ['senders at the same instant', 'p50', 'p90', 'p99', 'max', 'attempts', 'requests'],
      rows,
    );
  }
  console.log(
    `\n  ${contention.senders} into one room, as on AWS: p99 at most ${contention.p99Ms} ms in at most` +
      ` ${contention.attempts} attempts; a test holds it.`,
  );
}

function nameOf({ senders, rooms, members }: Company): string {
  const where = rooms === 1 ? `one room of ${members}` : `${rooms} rooms of ${members}`;
  return `${senders} into ${where}`;
}

async function links(isQuick: boolean): Promise<void> {
  const figures = await measureLinks(isQuick ? 20 : 1_000, isQuick ? 5 : 50);
  const { sendToFrame, streamP50, lastOfRoomMs, linkedMembers } = figures;
  printTable(
    'A whole Hub on this machine: from the answer of a send to the frame that tells of it',
    ['', 'ms'],
    [
      ['to one member, p50', Math.round(sendToFrame.p50)],
      ['to one member, p95', Math.round(sendToFrame.p95)],
      ['to one member, p99', Math.round(sendToFrame.p99)],
      ['of p50, until the notifier is invoked', Math.round(streamP50)],
      [`to the room, last of ${linkedMembers} members`, Math.round(lastOfRoomMs)],
    ],
  );
  console.log(
    `\n  ${figures.burstMessages} messages at once to one member became ${figures.burstFrames} frames.`,
  );
}

async function bundles(isQuick: boolean): Promise<void> {
  const loaded = loadBundles([yardstick, ...functionNames], isQuick ? 5 : 15);
  const [base] = loaded;
  printTable(
    'Functions: bundles and load time in fresh processes (median)',
    ['function', 'KB', 'KB gzipped', 'ms', 'times the SDK'],
    loaded.map((one) => [
      one.name,
      Math.round(one.bytes / 1024),
      Math.round(one.gzipBytes / 1024),
      median(one.loads),
      base === undefined ? '' : loadRatio(one, base),
    ]),
  );
  console.log(
    `\n  http: target ${loadTimeRatio.target} times, a test holds at most ${loadTimeRatio.atMost}.`,
  );
}

async function cost(isQuick: boolean): Promise<void> {
  const uses: MessageUse[] = [];
  for (const recipients of isQuick ? [1, 10] : [1, 5, 10, 50]) {
    uses.push(await measureMessage(recipients));
  }
  const heads = uses.map(({ recipients }) => `${recipients} recipients`);
  printTable(
    'One message of 1 KB to a room: writes / reads, milliseconds with latencies as on AWS',
    ['call', ...heads],
    (['send', 'notify', 'inbox', 'read'] as const).map((call) => [
      call,
      ...uses.map((use) => `${unitsText(use[call].units)}, ${Math.round(use[call].ms)} ms`),
    ]),
  );
  printTable(
    `Dollars for a million such messages, each read at once (list prices of ${prices.asOf})`,
    ['', ...heads],
    [
      ...Object.entries(bill).map(([line, dollars]) => [line, ...uses.map(dollars)]),
      ['total', ...uses.map(totalOf)],
    ],
  );
}
