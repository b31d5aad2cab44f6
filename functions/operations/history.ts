// history: one page of what the caller may read, oldest first; moves no position.
import type { HistoryMessage, HistoryView } from '../../protocol/nouns.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { type PageLimit, pageGauge } from '../domain/page.ts';
import { isAddressedTo, recipientState, recipientsOf, wasPresent } from '../domain/recipients.ts';
import type { Clock, LogEntry, Member } from '../domain/room.ts';
import { type Eyes, inView } from '../domain/visibility.ts';
import { lastTick } from '../store/keys.ts';
import { lookBack } from '../store/log.ts';
import { getCursors, getMembers } from '../store/members.ts';
import { listReplies } from '../store/messages.ts';
import type { Hub, MemberSeat, ObserverSeat, RoomCall } from './hub.ts';
import {
  addressesOf,
  isTorn,
  messageView,
  type Names,
  readBodies,
  readNames,
} from './message-views.ts';

/** A page that finds too little in this many entries ends there, and the next one goes on. */
const lookLimit = 10_000;
const lookPageSize = 50;

type Seat = Pick<MemberSeat, 'kind' | 'room' | 'no'> | ObserverSeat;

export async function history(
  { hub, clock, seat }: RoomCall,
  { before, view }: OperationInput<'history'>,
): Promise<OperationResult<'history'>> {
  return historyPage(hub, clock, seat, { limit: hub.policy.pages.history, before, view });
}

interface PageRequest {
  readonly limit: PageLimit;
  /** Exclusive. */
  readonly before?: number | undefined;
  readonly view?: HistoryView | undefined;
}

/** One page as this seat sees it. */
export async function historyPage(
  hub: Hub,
  clock: Clock,
  seat: Seat,
  { limit, before = lastTick, view }: PageRequest,
): Promise<OperationResult<'history'>> {
  const eyes: Eyes = new Set(seat.kind === 'member' ? [seat.no] : seat.stays);
  const isShown = await selection(hub, seat, eyes, view);
  const fits = pageGauge(limit, clock.presentCount);
  const page: LogEntry[] = [];
  let hasMore = false;
  const look = await lookBack(hub.table, seat.room, before, {
    limit: lookLimit,
    pageSize: lookPageSize,
    enough: (entry) => {
      if (!isShown(entry)) return false;
      hasMore = !fits(entry);
      if (!hasMore) page.push(entry);
      return hasMore;
    },
  });
  page.reverse();
  return {
    messages: await views(hub, seat, eyes, page),
    nextBefore: nextBefore(page[0], hasMore, look),
  };
}

/** The oldest seq shown if more exist; where the look gave up, the tick it had reached. */
function nextBefore(
  oldest: LogEntry | undefined,
  hasMore: boolean,
  look: { readonly isAll: boolean; readonly downTo: number },
): number | null {
  if (hasMore && oldest !== undefined) return oldest.seq;
  return look.isAll ? null : look.downTo;
}

async function selection(hub: Hub, seat: Seat, eyes: Eyes, view: HistoryView | undefined) {
  const stays =
    view === 'correspondence' && seat.kind === 'observer'
      ? new Map((await getMembers(hub.table, seat.room, [...eyes])).map((own) => [own.no, own]))
      : new Map<number, Member>();
  const wasRecipient = (entry: LogEntry, no: number) => {
    const own = stays.get(no);
    return isAddressedTo(entry, no) && (own === undefined || wasPresent(own, entry.seq));
  };
  return (entry: LogEntry) => inView(entry, eyes, view, wasRecipient);
}

async function views(
  hub: Hub,
  seat: Seat,
  eyes: Eyes,
  page: readonly LogEntry[],
): Promise<HistoryMessage[]> {
  const [bodies, names] = await Promise.all([
    readBodies(hub, page),
    readNames(hub, seat.room, page),
  ]);
  const visible = page.filter((entry) => !isTorn(entry, bodies));
  const recipients =
    seat.kind === 'observer' ? await recipientStates(hub, seat.room, visible, names) : undefined;
  return visible.flatMap((entry) => {
    const view = messageView(entry, bodies, names);
    if (view === undefined) return [];
    if (recipients === undefined) return [view];
    return [{ ...view, owned: eyes.has(entry.from), recipients: recipients(entry) }];
  });
}

/** State of each recipient, from replies, positions and membership. */
async function recipientStates(
  hub: Hub,
  room: string,
  page: readonly LogEntry[],
  names: Names,
): Promise<(entry: LogEntry) => NonNullable<HistoryMessage['recipients']>> {
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return () => [];
  const everyone = [...names.values()].sort((a, b) => a.no - b.no);
  const numbers = [...new Set(page.flatMap((entry) => recipientsOf(entry, everyone)))];
  const [replies, cursors] = await Promise.all([
    listReplies(hub.table, room, first.seq, last.seq),
    getCursors(hub.table, room, numbers),
  ]);
  const cursorOf = new Map(cursors.map((cursor) => [cursor.no, cursor]));
  return (entry) =>
    recipientsOf(entry, everyone).flatMap((no) => {
      const [address] = addressesOf([no], names);
      const cursor = cursorOf.get(no);
      if (address === undefined || cursor === undefined) return [];
      const state = recipientState({
        seq: entry.seq,
        hasReplied: replies.get(entry.seq)?.has(no) === true,
        readSeq: cursor.readSeq,
        hasLeft: cursor.hasLeft,
      });
      return [{ address, state }];
    });
}
