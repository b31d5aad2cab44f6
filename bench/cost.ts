// Dollars for a million messages: what a message takes, times AWS's prices.
import { plus, times, type Units } from './budgets.ts';
import type { MessageUse, Use } from './message-use.ts';
import { assumptions, prices } from './prices.ts';

/** The credential's row, which a Hub in one process does not read. */
const credential: Units = { writes: 0, reads: 1 };
const bytesPerGb = 1e9;

/** Lines of the bill; each is dollars for a million messages with that many recipients. */
export const bill: Readonly<Record<string, (use: MessageUse) => number>> = {
  'HTTP API': (use) => requestsOf(use) * prices.httpRequests,
  'functions called': (use) =>
    requestsOf(use) * prices.lambdaRequests +
    gbSeconds(use.send, ...each(use, [use.inbox, use.read])) * perMillion(prices.lambdaGbSecond),
  notifier: ({ notify }) =>
    prices.lambdaRequests +
    (notify.ms / 1_000) * assumptions.notifyMemoryGb * perMillion(prices.lambdaGbSecond),
  frames: ({ frames }) => frames * prices.websocketMessages,
  'DynamoDB writes': (use) => unitsOf(use).writes * prices.dynamodbWrites,
  'DynamoDB reads': (use) => unitsOf(use).reads * prices.dynamodbReads,
  storage: ({ storedBytes }) =>
    gb(storedBytes) * assumptions.retentionMonths * perMillion(prices.dynamodbGbMonth),
  logs: (use) => gb(requestsOf(use) * assumptions.logBytesPerRequest) * perMillion(prices.logsGb),
  'data out': (use) =>
    gb(requestsOf(use) * assumptions.responseBytes) * perMillion(prices.dataOutGb),
};

export const totalOf = (use: MessageUse): number =>
  Object.values(bill).reduce((sum, line) => sum + line(use), 0);

/** Its send, and an inbox and a read of each recipient. */
const requestsOf = ({ recipients }: MessageUse) => 1 + 2 * recipients;

const each = ({ recipients }: MessageUse, uses: readonly Use[]): readonly Use[] =>
  uses.map(({ units, ms }) => ({ units: times(recipients, units), ms: recipients * ms }));

function unitsOf(use: MessageUse): Units {
  const perRecipient = each(use, [use.inbox, use.read]).map(({ units }) => units);
  const credentials = times(requestsOf(use), credential);
  return plus(use.send.units, use.notify.units, ...perRecipient, credentials);
}

const gbSeconds = (...uses: readonly Use[]) =>
  uses.reduce((sum, { ms }) => sum + ms / 1_000, 0) * assumptions.interactiveMemoryGb;
const perMillion = (price: number) => price * 1e6;
const gb = (bytes: number) => bytes / bytesPerGb;
