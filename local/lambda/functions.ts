// The functions of a template, each with the pool that runs its bundle.
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { assetFolder, type StackTemplate } from '../template/load.ts';
import { account, namesByType, region } from '../template/names.ts';
import type { ResolvedResource } from '../template/resolve.ts';
import { type EnvironmentMode, startEnvironment } from './environment.ts';
import { runtimeVariables } from './messages.ts';
import type { Report } from './outcome.ts';
import { FunctionPool } from './pool.ts';

const FunctionShape = z.object({
  Handler: z.string(),
  Role: z.string(),
  Runtime: z.string().startsWith('nodejs'),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  ReservedConcurrentExecutions: z.number().optional(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).optional(),
});

/** A line that a function printed. */
export type LogLine = { functionId: string; requestId: string | undefined; line: string };

export type FunctionsOptions = {
  mode: EnvironmentMode;
  maxEnvironments: number;
  /** Variables every function gets over those of the template. */
  overrides: Readonly<Record<string, string>>;
  /** Rewrites addresses of AWS to those of the local stack. */
  localize: (value: string) => string;
  /** Where compiled code is kept between starts. */
  compileCache: string;
  clockShiftMs: number;
  onLog: (line: LogLine) => void;
  onReport: (report: Report) => void;
};

/** A function as the gateways and event sources use it. */
export type LocalFunction = {
  logicalId: string;
  name: string;
  arn: string;
  roleArn: string;
  pool: FunctionPool;
};

/** Variables Lambda sets itself; credentials name the caller to the local endpoints. */
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

function localFunction(
  stack: StackTemplate,
  resource: ResolvedResource,
  options: FunctionsOptions,
): LocalFunction {
  const { logicalId } = resource;
  const parsed = FunctionShape.safeParse(resource.properties);
  const folder = assetFolder(stack, { ...resource, Properties: {} });
  if (!parsed.success) throw new StartError(`${logicalId}: ${z.prettifyError(parsed.error)}`);
  if (folder === undefined) throw new StartError(`${logicalId} has no bundle in the assembly`);
  const { Handler, Role, Timeout, MemorySize, Environment } = parsed.data;
  const names = namesByType[resource.Type];
  const name = names?.ref(resource) ?? logicalId;
  const arn = names?.attributes?.['Arn']?.(resource) ?? '';
  const own = Object.entries(Environment?.Variables ?? {});
  const variables = {
    ...Object.fromEntries(own.map(([key, value]) => [key, options.localize(value)])),
    ...lambdaVariables(logicalId, name, MemorySize),
    [runtimeVariables.taskRoot]: folder,
    [runtimeVariables.handler]: Handler,
    NODE_COMPILE_CACHE: options.compileCache,
    ...options.overrides,
  };
  const pool = new FunctionPool(
    {
      functionId: logicalId,
      functionArn: arn,
      timeoutMs: Timeout * 1_000,
      maxEnvironments: Math.min(
        options.maxEnvironments,
        parsed.data.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
      ),
      start: (events, clockShiftMs) => {
        const clock = { [runtimeVariables.clockShiftMs]: String(clockShiftMs) };
        const spec = { variables: { ...variables, ...clock }, memoryMiB: MemorySize };
        return startEnvironment[options.mode](spec, events);
      },
      onLine: (line, requestId) => options.onLog({ functionId: logicalId, requestId, line }),
      onReport: options.onReport,
    },
    options.clockShiftMs,
  );
  return { logicalId, name, arn, roleArn: Role, pool };
}

/** Every function of the template by logical ID; none has an environment yet. */
export function localFunctions(
  stack: StackTemplate,
  resources: ReadonlyMap<string, ResolvedResource>,
  options: FunctionsOptions,
): Map<string, LocalFunction> {
  const all = new Map<string, LocalFunction>();
  for (const resource of resources.values()) {
    if (resource.Type !== 'AWS::Lambda::Function') continue;
    all.set(resource.logicalId, localFunction(stack, resource, options));
  }
  return all;
}
