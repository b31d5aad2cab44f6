// Decides a request by identity-based IAM policies: an explicit Deny wins, then an Allow, else no.
import { type Conditions, conditionsHold, type RequestContext } from './conditions.ts';
import { matchesWildcard } from './wildcard.ts';

type OneOrMore = string | readonly string[];

/** A statement of a policy document, its references already resolved to strings. */
export interface Statement {
  Effect: string;
  Action?: OneOrMore;
  NotAction?: OneOrMore;
  Resource?: OneOrMore;
  NotResource?: OneOrMore;
  Condition?: Conditions;
}

/** `action` like `dynamodb:PutItem`, `resource` an ARN, `context` by condition key. */
export interface AccessRequest {
  action: string;
  resource: string;
  context?: RequestContext;
}

/** Whether the statements, all those of the caller, allow the request. */
export function isAllowed(statements: readonly Statement[], request: AccessRequest): boolean {
  const applying = statements.filter((statement) => applies(statement, request));
  return (
    applying.some(({ Effect }) => Effect === 'Allow') &&
    !applying.some(({ Effect }) => Effect === 'Deny')
  );
}

function applies(statement: Statement, { action, resource, context = {} }: AccessRequest): boolean {
  const { Action, NotAction, Resource, NotResource, Condition } = statement;
  // Actions are compared without regard to case, resources with it.
  const lowered = (patterns: OneOrMore | undefined) => list(patterns)?.map((p) => p.toLowerCase());
  return (
    names(lowered(Action), lowered(NotAction), action.toLowerCase()) &&
    names(list(Resource), list(NotResource), resource) &&
    conditionsHold(Condition ?? {}, context)
  );
}

/** A statement has the pattern list or its opposite; one with neither names nothing. */
function names(patterns?: string[], exceptions?: string[], value = ''): boolean {
  const matches = (pattern: string) => matchesWildcard(pattern, value);
  if (patterns !== undefined) return patterns.some(matches);
  return exceptions !== undefined && !exceptions.some(matches);
}

function list(value: OneOrMore | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? [value] : [...value];
}
