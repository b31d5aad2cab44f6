// Which policy statements each function has: its role's inline policies and those attached to it.
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { namesByType } from './names.ts';
import type { ResolvedResource } from './resolve.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const StatementShape = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.record(z.string(), z.record(z.string(), oneOrMore)).optional(),
});

const DocumentShape = z.object({ Statement: z.array(StatementShape) });
const InlinePolicies = z.array(z.object({ PolicyDocument: DocumentShape })).default([]);
const AttachedPolicy = z.object({
  PolicyDocument: DocumentShape,
  Roles: z.array(z.string()).default([]),
});
const RoleShape = z.object({
  Policies: InlinePolicies,
  ManagedPolicyArns: z.array(z.string()).default([]),
});

/** One statement of a policy, with lists where IAM allows a single value. */
export type Statement = z.output<typeof StatementShape>;

/** AWS's own policies that change nothing here: logs are not written through an API. */
const harmlessManagedPolicies = ['/service-role/AWSLambdaBasicExecutionRole'];

function parse<Schema extends z.ZodType>(schema: Schema, it: ResolvedResource): z.output<Schema> {
  const parsed = schema.safeParse(it.properties);
  if (parsed.success) return parsed.data;
  throw new StartError(`The template's ${it.logicalId}: ${z.prettifyError(parsed.error)}`);
}

/** The statements of every role in the template, by the role's ARN. */
export function statementsByRole(
  resources: ReadonlyMap<string, ResolvedResource>,
): Map<string, Statement[]> {
  const byName = new Map<string, Statement[]>();
  const byArn = new Map<string, Statement[]>();
  for (const role of resources.values()) {
    if (role.Type !== 'AWS::IAM::Role') continue;
    const { Policies, ManagedPolicyArns } = parse(RoleShape, role);
    const unknown = ManagedPolicyArns.find(
      (arn) => !harmlessManagedPolicies.some((harmless) => arn.endsWith(harmless)),
    );
    if (unknown)
      throw new StartError(`${role.logicalId} has ${unknown}, whose content is not here`);
    const statements = Policies.flatMap((policy) => policy.PolicyDocument.Statement);
    const names = namesByType[role.Type];
    byName.set(names?.ref(role) ?? '', statements);
    byArn.set(names?.attributes?.['Arn']?.(role) ?? '', statements);
  }
  for (const policy of resources.values()) {
    if (policy.Type !== 'AWS::IAM::Policy') continue;
    const { PolicyDocument, Roles } = parse(AttachedPolicy, policy);
    for (const role of Roles) byName.get(role)?.push(...PolicyDocument.Statement);
  }
  return byArn;
}
