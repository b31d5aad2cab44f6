// Everything the stack needs from the template, read and checked before anything is started.
import type { TableDefinition } from './dynamodb/index.ts';
import { type EventSourceDefinitions, readEventSources } from './event-sources/definitions.ts';
import { type FrontDoorDefinition, readFrontDoor } from './front-door/definition.ts';
import { type HttpApiDefinition, readHttpApi } from './http-api/definition.ts';
import { type FunctionDefinition, readFunctions } from './lambda/definitions.ts';
import { type Queue, readQueues } from './sqs/queues.ts';
import { StartError } from './start-error.ts';
import { type Accounts, readAccounts } from './template/accounts.ts';
import { loadAssembly } from './template/load.ts';
import { Resolver } from './template/resolve.ts';
import { refuseUnknownTypes } from './template/resource-types.ts';
import { type Authorize, createAuthorize } from './template/roles.ts';
import { readTables } from './template/tables.ts';
import type { Resources } from './template/typed.ts';
import { readWebSocketApi, type WebSocketApiDefinition } from './web-socket-api/definition.ts';

export type Definition = {
  resources: Resources;
  tables: TableDefinition[];
  queues: Queue[];
  accounts: Accounts | undefined;
  /** By logical ID. */
  functions: ReadonlyMap<string, FunctionDefinition>;
  httpApi: HttpApiDefinition;
  webSocketApi: WebSocketApiDefinition | undefined;
  frontDoor: FrontDoorDefinition | undefined;
  eventSources: EventSourceDefinitions;
  authorize: Authorize;
  /** With addresses of AWS. */
  outputs: Record<string, string>;
};

/**
 * Reads the assembly's one stack; throws a `StartError` about whatever cannot run here.
 * @param secretKey makes the values of generated secrets
 */
export function readDefinition(assembly: string, secretKey: Uint8Array): Definition {
  const [stack, second] = loadAssembly(assembly);
  if (!stack || second) throw new StartError(`${assembly} must hold exactly one stack`);
  refuseUnknownTypes(stack.template);
  const resolver = new Resolver(stack.template, secretKey);
  const resources = resolver.resources();
  const functions = readFunctions(stack, resources);
  const authorize = createAuthorize(resources);
  const outputs = Object.entries(stack.template.Outputs).map(
    ([name, { Value }]) => [name, String(resolver.value(Value))] as const,
  );
  return {
    resources,
    tables: readTables(resources),
    queues: readQueues(resources),
    accounts: readAccounts(resources),
    functions,
    httpApi: readHttpApi(resources, functions.values()),
    webSocketApi: readWebSocketApi(resources, functions.values()),
    frontDoor: readFrontDoor(resources),
    eventSources: readEventSources(resources, functions, authorize),
    authorize,
    outputs: Object.fromEntries(outputs),
  };
}
