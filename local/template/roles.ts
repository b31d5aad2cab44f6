// Who may do what: the statements of each function's role, inline and attached, asked per call.
import * as z from 'zod';
import { isAllowed, type Statement } from '../iam/evaluate.ts';
import { StartError } from '../start-error.ts';
import { type Resources, resourcesOfType } from './typed.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]);
const conditionValue = z.union([
  z.string(),
  z.boolean(),
  z.number(),
  z.array(z.union([z.string(), z.boolean(), z.number()])),
]);
// Strict: an element that is not evaluated must not look as if it were.
const StatementShape = z.strictObject({
  Sid: z.string().exactOptional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore.exactOptional(),
  NotAction: oneOrMore.exactOptional(),
  Resource: oneOrMore.exactOptional(),
  NotResource: oneOrMore.exactOptional(),
  Condition: z.record(z.string(), z.record(z.string(), conditionValue)).exactOptional(),
});

const DocumentShape = z.object({ Statement: z.array(StatementShape) });
const AttachedPolicy = z.object({
  PolicyDocument: DocumentShape,
  Roles: z.array(z.string()).default([]),
});
const RoleShape = z.object({
  Policies: z.array(z.object({ PolicyDocument: DocumentShape })).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
});

/** AWS's own policies that change nothing here: logs are not written through an API. */
const harmlessManagedPolicies = ['/service-role/AWSLambdaBasicExecutionRole'];

/** The principal that may do everything: whoever runs the stack, and its tests. */
export const operatorPrincipal = 'operator';

/**
 * Whether a principal, which is a function's logical ID, may do the action to the resource.
 * @param context `leadingKeys`: partition keys that a call to DynamoDB names
 */
export type Authorize = (
  principal: string,
  action: string,
  resource: string,
  context?: { leadingKeys: string[] },
) => boolean;

/** Statements by role ARN. */
function statementsByRole(resources: Resources): Map<string, Statement[]> {
  const byName = new Map<string, Statement[]>();
  const byArn = new Map<string, Statement[]>();
  for (const role of resourcesOfType(resources, 'AWS::IAM::Role', RoleShape)) {
    const { Policies, ManagedPolicyArns } = role.properties;
    const unknown = ManagedPolicyArns.find(
      (arn) => !harmlessManagedPolicies.some((harmless) => arn.endsWith(harmless)),
    );
    if (unknown)
      throw new StartError(`${role.logicalId} has ${unknown}, whose content is not here`);
    const statements: Statement[] = Policies.flatMap((policy) => policy.PolicyDocument.Statement);
    byName.set(role.ref, statements);
    byArn.set(role.arn, statements);
  }
  for (const policy of resourcesOfType(resources, 'AWS::IAM::Policy', AttachedPolicy)) {
    const { PolicyDocument, Roles } = policy.properties;
    for (const role of Roles) byName.get(role)?.push(...PolicyDocument.Statement);
  }
  return byArn;
}

/** Makes the question that every local endpoint asks before it does anything. */
export function createAuthorize(resources: Resources): Authorize {
  const statements = statementsByRole(resources);
  const functions = resourcesOfType(
    resources,
    'AWS::Lambda::Function',
    z.object({ Role: z.string() }),
  );
  const byPrincipal = new Map<string, readonly Statement[]>(
    functions.map(({ logicalId, properties }) => [
      logicalId,
      statements.get(properties.Role) ?? [],
    ]),
  );
  return (principal, action, resource, { leadingKeys } = { leadingKeys: [] }) => {
    if (principal === operatorPrincipal) return true;
    const context = leadingKeys.length > 0 ? { 'dynamodb:LeadingKeys': leadingKeys } : {};
    return isAllowed(byPrincipal.get(principal) ?? [], { action, resource, context });
  };
}
