// Reads a cloud assembly (cdk.out): the stack's template, and where each asset of it lies on disk.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { StartError } from '../start-error.ts';

const ResourceShape = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string(), z.array(z.string())]).optional(),
});

const TemplateShape = z.object({
  Parameters: z.record(z.string(), z.object({ Default: z.unknown().optional() })).default({}),
  Mappings: z
    .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
    .default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(z.string(), ResourceShape),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});

const ManifestShape = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z.object({ templateFile: z.string().optional() }).optional(),
    }),
  ),
});

/** One resource as it stands in the template; intrinsic functions are not evaluated yet. */
export type Resource = z.output<typeof ResourceShape>;
export type Template = z.output<typeof TemplateShape>;

/** A stack of the assembly; `folder` is what asset paths are relative to. */
export type StackTemplate = { name: string; folder: string; template: Template };

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new StartError(`${path} is not what CDK writes: ${z.prettifyError(parsed.error)}`);
}

/** Parses a template given as JSON; throws on what is not a CloudFormation template. */
export const parseTemplate = (json: unknown): Template => TemplateShape.parse(json);

/** Every stack of the assembly in `folder`. */
export function loadAssembly(folder: string): StackTemplate[] {
  const { artifacts } = readJson(join(folder, 'manifest.json'), ManifestShape);
  return Object.entries(artifacts).flatMap(([name, { type, properties }]) => {
    const file = properties?.templateFile;
    if (type !== 'aws:cloudformation:stack' || file === undefined) return [];
    return [
      { name, folder: resolve(folder), template: readJson(join(folder, file), TemplateShape) },
    ];
  });
}

/** The folder of a resource's bundled code, by its metadata; `undefined` when it has none. */
export function assetFolder(
  stack: StackTemplate,
  metadata: Resource['Metadata'],
): string | undefined {
  const path = metadata['aws:asset:path'];
  return typeof path === 'string' ? resolve(stack.folder, path) : undefined;
}
