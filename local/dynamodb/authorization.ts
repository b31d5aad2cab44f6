// Asks for every action that a call consists of, and names the first one that is refused.
import type { Arns } from './arns.ts';
import { textOf } from './json.ts';
import type { Member } from './members.ts';
import { type Answer, errorAnswer } from './wire.ts';

/**
 * Whether the principal (an access key ID) may do the action, like `dynamodb:PutItem`, to the
 * table, index or stream of that ARN. `leadingKeys`: partition keys it names, which policies call
 * `dynamodb:LeadingKeys`.
 */
export type Authorize = (
  principal: string,
  action: string,
  resourceArn: string,
  context: { leadingKeys: string[] },
) => boolean;

/** The refusal of a call, or undefined if all of it is allowed. */
export function refuseUnauthorized(
  principal: string,
  members: readonly Member[],
  arns: Arns,
  authorize: Authorize,
): Answer | undefined {
  const asked = Map.groupBy(members, (member) => `${member.action}\n${resourceOf(member, arns)}`);
  for (const [question, group] of asked) {
    const [operation = '', resource = ''] = question.split('\n');
    const leadingKeys = group.flatMap(({ partition }) => partition ?? []);
    const action = `dynamodb:${operation}`;
    if (!authorize(principal, action, resource, { leadingKeys: [...new Set(leadingKeys)] })) {
      return errorAnswer(
        'AccessDeniedException',
        `User: ${principal} is not authorized to perform: ${action} on resource: ${resource}` +
          ' because no identity-based policy allows it',
      );
    }
  }
  return undefined;
}

function resourceOf({ tableName, indexName, source }: Member, arns: Arns): string {
  const named = textOf(source['StreamArn']) ?? textOf(source['ResourceArn']);
  if (tableName === undefined) return named ?? '*';
  const table = arns.table(tableName);
  return indexName === undefined ? table : `${table}/index/${indexName}`;
}
