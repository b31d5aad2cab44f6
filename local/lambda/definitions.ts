// The functions of a template: code, settings and the variables of each.
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { assetFolder, type StackTemplate } from '../template/load.ts';
import { account, region } from '../template/names.ts';
import { type Resources, resourcesOfType } from '../template/typed.ts';
import { runtimeVariables } from './messages.ts';

const FunctionShape = z.object({
  Handler: z.string(),
  Role: z.string(),
  Runtime: z.string().startsWith('nodejs'),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  ReservedConcurrentExecutions: z.number().optional(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).optional(),
});

/** A function as the template has it. */
export type FunctionDefinition = {
  logicalId: string;
  name: string;
  arn: string;
  timeoutMs: number;
  memoryMiB: number;
  /** How many environments it may have at most; unlimited when absent. */
  reservedConcurrency: number | undefined;
  /** Its own variables and those Lambda sets, with addresses of AWS. */
  variables: Readonly<Record<string, string>>;
};

/** Variables Lambda sets itself; the credentials name the caller to the local endpoints. */
function lambdaVariables(logicalId: string, name: string, memoryMiB: number) {
  return {
    AWS_ACCESS_KEY_ID: logicalId,
    AWS_SECRET_ACCESS_KEY: 'local',
    // Without these the SDK would read the profile of whoever runs the stack.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `local/${account}`,
    TZ: ':UTC',
  };
}

/** Every function of the stack by logical ID. */
export function readFunctions(
  stack: StackTemplate,
  resources: Resources,
): Map<string, FunctionDefinition> {
  const all = new Map<string, FunctionDefinition>();
  for (const fn of resourcesOfType(resources, 'AWS::Lambda::Function', FunctionShape)) {
    const { logicalId, ref: name, arn, properties } = fn;
    const folder = assetFolder(stack, fn.resource.Metadata);
    if (folder === undefined) throw new StartError(`${logicalId} has no bundle in the assembly`);
    const { MemorySize: memoryMiB } = properties;
    all.set(logicalId, {
      logicalId,
      name,
      arn,
      timeoutMs: properties.Timeout * 1_000,
      memoryMiB,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      variables: {
        ...properties.Environment?.Variables,
        ...lambdaVariables(logicalId, name, memoryMiB),
        [runtimeVariables.taskRoot]: folder,
        [runtimeVariables.handler]: properties.Handler,
      },
    });
  }
  return all;
}
