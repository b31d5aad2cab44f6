// Everything the stack needs from the template, read and checked before anything is started.
import type { TableDefinition } from './dynamodb/index.ts';
import { type Queue, readQueues } from './sqs/queues.ts';
import { StartError } from './start-error.ts';
import { type Accounts, readAccounts } from './template/accounts.ts';
import { loadAssembly, type StackTemplate } from './template/load.ts';
import { type ResolvedResource, Resolver } from './template/resolve.ts';
import { refuseUnknownTypes } from './template/resource-types.ts';
import { type Authorize, createAuthorize } from './template/roles.ts';
import { readTables } from './template/tables.ts';

export type Definition = {
  stack: StackTemplate;
  resources: ReadonlyMap<string, ResolvedResource>;
  tables: TableDefinition[];
  queues: Queue[];
  accounts: Accounts | undefined;
  authorize: Authorize;
  outputs: Record<string, string>;
};

/** Reads the assembly's one stack; throws a `StartError` about whatever cannot run here. */
export function readDefinition(assembly: string): Definition {
  const [stack, second] = loadAssembly(assembly);
  if (!stack || second) throw new StartError(`${assembly} must hold exactly one stack`);
  refuseUnknownTypes(stack.template);
  const resolver = new Resolver(stack.template);
  const resources = resolver.resources();
  const outputs = Object.entries(stack.template.Outputs).map(
    ([name, { Value }]) => [name, String(resolver.value(Value))] as const,
  );
  return {
    stack,
    resources,
    tables: readTables(resources),
    queues: readQueues(resources),
    accounts: readAccounts(resources),
    authorize: createAuthorize(resources),
    outputs: Object.fromEntries(outputs),
  };
}
