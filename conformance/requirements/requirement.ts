// What a requirement is: one rule of the protocol as data, with an ID that scenarios cite.

/**
 * Through what a rule can be seen from outside. `sign-in`: over HTTP, with tokens that only the
 * authorization server gives out. `client`: it binds bridges and hosts, no Hub shows it. `bridge`:
 * of those, what a link's client does and when, which the tests in bridge/ hold.
 */
export type Binding = 'http' | 'mcp' | 'link' | 'sign-in' | 'client' | 'bridge';

export interface Requirement<Id extends string = string> {
  readonly id: Id;
  /** Section of the protocol, and the part of it. */
  readonly section: string;
  readonly text: string;
  /** Every binding that shows the rule; none: only tests from inside can hold it. */
  readonly bindings: readonly Binding[];
}

/** Rules of one section that the same bindings show, as `ID: text`. */
export function requirementsOf<const Id extends string>(
  section: string,
  bindings: readonly Binding[],
  texts: Readonly<Record<Id, string>>,
): readonly Requirement<Id>[] {
  const ids = Object.keys(texts).filter((id): id is Id => Object.hasOwn(texts, id));
  return ids.map((id) => ({ id, section, text: texts[id], bindings }));
}

/** Operations that are tools too, so that a remote connector shows the same rule. */
export const everywhere = ['http', 'mcp'] as const;
export const httpOnly = ['http'] as const;
export const unseen = [] as const;
