// The template's resources by type, with their properties checked and their names worked out.
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { namesByType } from './names.ts';
import type { ResolvedResource } from './resolve.ts';

/** Evaluated resources by logical ID. */
export type Resources = ReadonlyMap<string, ResolvedResource>;

/** A resource as its reader uses it: its names and its checked properties. */
export type Typed<Properties> = {
  logicalId: string;
  /** What `Ref` gives. */
  ref: string;
  /** The attribute `Arn`. */
  arn: string;
  /** What `Fn::GetAtt` gives; empty for an attribute that the type does not have. */
  attribute: (name: string) => string;
  properties: Properties;
  resource: ResolvedResource;
};

/**
 * Every resource of a type; throws a `StartError` that names a property that is not as it should.
 */
export function resourcesOfType<Schema extends z.ZodType>(
  resources: Resources,
  type: string,
  shape: Schema,
): Typed<z.output<Schema>>[] {
  const names = namesByType[type];
  return [...resources.values()]
    .filter((resource) => resource.Type === type)
    .map((resource) => {
      const { logicalId } = resource;
      const parsed = shape.safeParse(resource.properties);
      if (!parsed.success) {
        throw new StartError(
          `The template's ${logicalId} (${type}) cannot run here: ${z.prettifyError(parsed.error)}`,
        );
      }
      const ref = names?.ref(resource) ?? logicalId;
      const attribute = (name: string) => names?.attributes?.[name]?.(resource) ?? '';
      const { data: properties } = parsed;
      return { logicalId, ref, arn: attribute('Arn'), attribute, properties, resource };
    });
}
