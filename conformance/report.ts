// What a run of the suite says: a line per scenario, the broken requirements, and the counts.
import type { PlayedBinding } from './client.ts';
import { requirements } from './requirements.ts';
import type { Scenario } from './scenario.ts';

export type Outcome =
  | { readonly kind: 'passed'; readonly ms: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'not run'; readonly reason: string };

/** What a report needs of a scenario. */
export type Played = Pick<Scenario, 'title' | 'cites'>;

const textOf = new Map<string, string>(requirements.map(({ id, text }) => [id, text]));

/** The lines of one scenario: what failed says why, and which requirements it was about. */
export function outcomeLines({ title, cites }: Played, outcome: Outcome): string[] {
  if (outcome.kind === 'passed') return [`  ✓ ${title} (${Math.round(outcome.ms)} ms)`];
  if (outcome.kind === 'not run') return [`  – ${title}: not run: ${outcome.reason}`];
  const { error } = outcome;
  const problem = error instanceof Error ? error.message : String(error);
  return [
    `  ✗ ${title}`,
    ...problem
      .trim()
      .split('\n')
      .map((line) => `      ${line}`),
    ...cites.map((id) => `      ${id}: ${textOf.get(id) ?? ''}`),
  ];
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** The counts: of scenarios, and of the binding's requirements as the scenarios show them. */
export function summaryLines(
  outcomes: readonly (readonly [Played, Outcome])[],
  binding: PlayedBinding,
): string[] {
  const of = (kind: Outcome['kind']) => outcomes.filter(([, outcome]) => outcome.kind === kind);
  const citedBy = (kind: Outcome['kind']) =>
    new Set<string>(of(kind).flatMap(([{ cites }]) => cites));
  const [shown, broken] = [citedBy('passed'), citedBy('failed')];
  const own = requirements.filter(({ bindings }) => bindings.some((it) => it === binding));
  const brokenOnes = own.filter(({ id }) => broken.has(id)).length;
  const held = own.filter(({ id }) => shown.has(id) && !broken.has(id)).length;
  return [
    `over ${binding}: ${of('passed').length} passed, ${of('failed').length} failed, ` +
      `${of('not run').length} not run`,
    `Of ${count(own.length, 'requirement')} of the ${binding} binding ${held} were seen to hold, ` +
      `${brokenOnes} may be broken, ${own.length - held - brokenOnes} were not seen; ` +
      `${requirements.length - own.length} more are for other bindings.`,
  ];
}

/** True if something was played and nothing failed. */
export function isPass(outcomes: readonly (readonly [Played, Outcome])[]): boolean {
  const kinds = outcomes.map(([, { kind }]) => kind);
  return kinds.includes('passed') && !kinds.includes('failed');
}
