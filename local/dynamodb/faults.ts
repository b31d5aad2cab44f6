// Faults by switch: which calls are refused, lose their answer, or are applied in pieces.
import { cancelled, reasons } from './cancellation.ts';
import type { Member } from './members.ts';
import { createRandom } from './random.ts';
import { errorAnswer } from './wire.ts';
import type { Outcome } from './wire-server.ts';

type Effect =
  /** Nothing is applied. */
  | { kind: 'refuse'; outcome: (hits: readonly boolean[]) => Outcome }
  /** Everything happens, and then the client gets this instead of the answer. */
  | { kind: 'lose'; outcome: () => Outcome }
  /** A transaction's items are applied one by one, in any order, with pauses. */
  | { kind: 'tear' };

const tooFast = 'The rate of requests exceeds what the table allows. Slow down and retry.';
const internal = () => errorAnswer('InternalServerError', 'Injected by the local stack.');

const effects = {
  throttled: { kind: 'refuse', outcome: () => errorAnswer('ThrottlingException', tooFast) },
  'throughput-exceeded': {
    kind: 'refuse',
    outcome: () => errorAnswer('ProvisionedThroughputExceededException', tooFast),
  },
  /** For transactions: cancelled, with the reason ThrottlingError at each member that matches. */
  'transaction-throttled': {
    kind: 'refuse',
    outcome: (hits) => cancelled(hits.map((hit) => (hit ? reasons.throttled : reasons.none))),
  },
  'internal-error': { kind: 'refuse', outcome: internal },
  'connection-refused': { kind: 'refuse', outcome: () => 'cut' },
  'answer-cut': { kind: 'lose', outcome: () => 'cut' },
  'answer-internal-error': { kind: 'lose', outcome: internal },
  'torn-transaction': { kind: 'tear' },
} as const satisfies Record<string, Effect>;

/** One switch. A call is matched if it fits every criterion given, by any one of its members. */
export interface FaultRule {
  fault: keyof typeof effects;
  /** E.g. `PutItem` or `TransactWriteItems`. */
  operation?: string;
  principal?: string;
  partitionPrefix?: string;
  sortPrefix?: string;
  /** Share of matching calls that get the fault; 1 if absent. */
  probability?: number;
  /** Only so many calls get it, then the rule is gone. */
  next?: number;
  /** Longest pause between the items of a torn transaction; 20 if absent. */
  maxPauseMs?: number;
}

export interface Faults {
  /** Switches a fault on; call the result to switch it off. */
  add(rule: FaultRule): () => void;
  clear(): void;
}

/** What befalls one call. */
export interface DrawnFaults {
  refusal?: Outcome;
  lostAnswer?: Outcome;
  tear?: { maxPauseMs: number };
}

export interface FaultSource extends Faults {
  draw(call: { principal: string; operation: string }, members: readonly Member[]): DrawnFaults;
  random(): number;
}

export function createFaults(seed: number): FaultSource {
  const rules = new Set<FaultRule>();
  const random = createRandom(seed);

  function draw(call: { principal: string; operation: string }, members: readonly Member[]) {
    const drawn: DrawnFaults = {};
    for (const rule of rules) {
      const hits = members.map((member) => matches(rule, call, member));
      if (!hits.includes(true) || random() >= (rule.probability ?? 1)) continue;
      const effect: Effect = effects[rule.fault];
      if (effect.kind === 'refuse') drawn.refusal ??= effect.outcome(hits);
      if (effect.kind === 'lose') drawn.lostAnswer ??= effect.outcome();
      if (effect.kind === 'tear') drawn.tear ??= { maxPauseMs: rule.maxPauseMs ?? 20 };
      if (rule.next === undefined) continue;
      rule.next -= 1;
      if (rule.next <= 0) rules.delete(rule);
    }
    return drawn;
  }

  return {
    add(rule) {
      const own = { ...rule };
      rules.add(own);
      return () => rules.delete(own);
    },
    clear: () => rules.clear(),
    draw,
    random,
  };
}

function matches(
  rule: FaultRule,
  call: { principal: string; operation: string },
  { partition = '', sort = '' }: Member,
): boolean {
  return (
    (rule.operation ?? call.operation) === call.operation &&
    (rule.principal ?? call.principal) === call.principal &&
    partition.startsWith(rule.partitionPrefix ?? '') &&
    sort.startsWith(rule.sortPrefix ?? '')
  );
}
