// Tools as hosts list them: JSON Schemas instead of zod, for MCP's `tools/list` and native hosts.
import * as z from 'zod';
import { remoteOutput } from './remote-content.ts';
import {
  isToolName,
  type OperationTool,
  RemoteCall,
  type ToolAnnotations,
  type ToolName,
  tools,
} from './tools.ts';

/** A JSON Schema of an object, as MCP wants it. */
export interface ObjectSchema {
  type: 'object';
  [keyword: string]: unknown;
}

export interface ListedTool {
  name: ToolName;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  annotations: ToolAnnotations;
}

export interface RemoteTool extends ListedTool {
  name: OperationTool;
  /** Schema of the structured content: the operation's result and a little beside it. */
  outputSchema: ObjectSchema;
}

const toolNames = Object.keys(tools).filter(isToolName);

/** The tools of a local conversation. */
export function localTools(): ListedTool[] {
  return toolNames.map((name) => listed(name, tools[name].input));
}

/** The tools of the remote connector: no login, and each that acts in a room says for whom. */
export function remoteTools(): RemoteTool[] {
  return toolNames.flatMap((name) => {
    if (name === 'login') return [];
    const { input, actsInRoom } = tools[name];
    return {
      ...listed(name, actsInRoom ? RemoteCall.extend(input.shape) : input),
      name,
      outputSchema: objectSchema(remoteOutput(name)),
    };
  });
}

function listed(name: ToolName, input: z.ZodObject): ListedTool {
  const { title, description, annotations } = tools[name];
  return { name, title, description, inputSchema: inputSchema(input), annotations };
}

/** What may be written, unknown fields included; null counts as absent, but is not advertised. */
function inputSchema(schema: z.ZodObject): ObjectSchema {
  return objectSchema(schema, ({ zodSchema, jsonSchema }) => {
    if (zodSchema._zod.def.type !== 'nullable') return;
    const [withoutNull] = jsonSchema.anyOf ?? [];
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, withoutNull);
  });
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Of the input side, also for results: a reader has to let pass what later versions add. */
function objectSchema(schema: z.ZodObject, override: Override = () => {}): ObjectSchema {
  const { $schema: _, ...keywords } = z.toJSONSchema(schema, { io: 'input', override });
  return { ...keywords, type: 'object' };
}
