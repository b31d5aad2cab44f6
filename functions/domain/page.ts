// How much of the log one answer shows: where a batch or a page of messages is cut.
import { limits } from '../../protocol/limits.ts';
import type { LogEntry } from './room.ts';

/** The most that one answer shows; the first message is shown whatever it takes. */
export interface PageLimit {
  readonly messages: number;
  readonly bodyBytes: number;
  /** Recipients named, over all messages: their addresses can outweigh the bodies. */
  readonly recipients: number;
}

export interface PageLimits {
  readonly inbox: PageLimit;
  readonly history: PageLimit;
  /** The history that a join brings along. */
  readonly join: PageLimit;
}

const history: PageLimit = {
  messages: limits.historyPageMessages,
  bodyBytes: limits.historyPageBodyBytes,
  recipients: Number.POSITIVE_INFINITY,
};

/** What the protocol allows (protocol, section 2, limits). */
export const protocolPages: PageLimits = {
  inbox: {
    messages: limits.inboxBatchMessages,
    bodyBytes: limits.inboxBatchBodyBytes,
    recipients: Number.POSITIVE_INFINITY,
  },
  history,
  join: history,
};

/**
 * Tells of one entry after the other whether it still fits; after the first that does not, none is
 * to be asked about. A message to the room names everybody, `presentCount` as of now.
 */
export function pageGauge(
  limit: PageLimit,
  presentCount: number,
): (entry: Pick<LogEntry, 'bytes' | 'to' | 'toRoom'>) => boolean {
  let messages = 0;
  let bodyBytes = 0;
  let recipients = 0;
  return ({ bytes, to, toRoom }) => {
    messages += 1;
    bodyBytes += bytes;
    recipients += toRoom ? presentCount : to.length;
    const isFull =
      messages > limit.messages || bodyBytes > limit.bodyBytes || recipients > limit.recipients;
    return messages === 1 || !isFull;
  };
}
