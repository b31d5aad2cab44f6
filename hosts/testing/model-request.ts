// One request to the fake model: the transcript and the tools, as Codex sends them.
import * as z from 'zod';

const Part = z.looseObject({ text: z.string().optional() });

/** One item of the transcript: a message, a call, or the output of one. */
export const Item = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(Part)]).optional(),
  name: z.string().optional(),
  call_id: z.string().optional(),
  output: z.unknown().optional(),
});
export type Item = z.infer<typeof Item>;

const Tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

const Body = z.looseObject({ input: z.array(Item), tools: z.array(Tool).default([]) });

/** Codex names the thread, and for a subagent the one that started it. */
const Headers = z.object({
  'thread-id': z.string(),
  'x-codex-parent-thread-id': z.string().optional(),
});

/** A tool as it is offered; Codex puts those of a server into a namespace. */
export interface OfferedTool {
  name: string;
  namespace?: string | undefined;
}

export class ModelRequest {
  readonly thread: string;
  /** Of a subagent: the thread that started it. */
  readonly parent: string | undefined;
  readonly items: readonly Item[];
  readonly tools: readonly OfferedTool[];
  /** Everything that was sent, as it came. */
  readonly body: z.infer<typeof Body>;

  static from(headers: object, body: string): ModelRequest {
    return new ModelRequest(Headers.parse(headers), Body.parse(JSON.parse(body)));
  }

  constructor(headers: z.infer<typeof Headers>, body: z.infer<typeof Body>) {
    this.thread = headers['thread-id'];
    this.parent = headers['x-codex-parent-thread-id'];
    this.body = body;
    this.items = body.input;
    this.tools = body.tools.flatMap(offered);
  }

  /** The texts that came since the model last said or called something. */
  get news(): string {
    const last = this.items.findLastIndex(
      ({ type, role }) => type.endsWith('_call') || role === 'assistant',
    );
    return this.items
      .slice(last + 1)
      .map(textOf)
      .join('\n');
  }
}

function offered({ type, name, tools }: z.infer<typeof Tool>): OfferedTool[] {
  if (tools === undefined) return [{ name: name ?? type }];
  return tools.map((tool) => ({ name: tool.name, namespace: name }));
}

/** The text of a message; empty for calls and their outputs. */
export function textOf({ type, content = '' }: Item): string {
  if (type !== 'message') return '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

/** What came out of a call, as one text. */
export function outputOf({ type, output }: Item): string {
  return type === 'function_call_output' ? JSON.stringify(output) : '';
}
