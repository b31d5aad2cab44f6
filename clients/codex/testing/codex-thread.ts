// For tests: what Codex does with the plugin in one thread. It runs the shipped server with the
// environment of `.mcp.json` and calls it as the real one does, which `npm run hosts` shows.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { CodexPlugin } from './plugin-files.ts';

const ToolResult = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
  isError: z.boolean().default(false),
});

const Queued = z.object({ args: z.array(z.string()), codexHome: z.string().optional() });

export interface ThreadOptions {
  plugin: CodexPlugin;
  /** A folder for the records of the plugin, for `codex`, and for its home. */
  home: string;
  hub: string;
  thread?: string;
  /** Of a subagent: the session it belongs to. */
  session?: string;
}

/** What Codex knows of a turn, as it stands in the `_meta` of tool calls. */
export interface TurnMetadata {
  turn_trigger?: string;
  thread_source?: string;
}

export class CodexThread {
  readonly id: string;
  readonly #options: ThreadOptions;
  readonly #session: string;
  readonly #client = new Client({ name: 'codex-mcp-client', version: '0.171.0' });
  /** Everything that the server wrote on standard error. */
  warnings = '';

  static async open(options: ThreadOptions): Promise<CodexThread> {
    const thread = new CodexThread(options);
    await thread.#installCodex();
    await thread.#connect();
    onTestFinished(() => thread.close());
    return thread;
  }

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.id = options.thread ?? randomUUID();
    this.#session = options.session ?? this.id;
  }

  /** Names of the tools a model is offered. */
  async toolNames(): Promise<string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }

  /** The model calls a tool. */
  async call(name: string, args: object = {}, turn: TurnMetadata = {}) {
    const metadata = { session_id: this.#session, thread_id: this.id, turn_id: '1', ...turn };
    return await this.#request(name, args, {
      sessionId: this.#session,
      callId: `call_${randomUUID()}`,
      'x-codex-turn-metadata': metadata,
    });
  }

  /** An event fires; gives what its handler printed. */
  async hook(event: string): Promise<unknown> {
    const [group] = this.#options.plugin.hooks[event] ?? [];
    const [handler] = group?.hooks ?? [];
    if (handler === undefined) throw new Error(`the plugin has no hook for ${event}`);
    const fields = new Map([
      ['session_id', this.#session],
      ['cwd', this.#options.home],
    ]);
    const input = Object.entries(handler.input).map(([name, text]): [string, string] => [
      name,
      text.replaceAll(/\$\{(\w+)\}/g, (_, field) => {
        const value = fields.get(field);
        if (value === undefined) throw new Error(`no event has the field ${field} everywhere`);
        return value;
      }),
    ]);
    const { text } = await this.#request(handler.tool, Object.fromEntries(input), {});
    return JSON.parse(text);
  }

  /** What `codex queue` was called with so far. */
  async queued(): Promise<z.infer<typeof Queued>[]> {
    const text = await readFile(join(this.#options.home, 'queued'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => Queued.parse(JSON.parse(line)));
  }

  /** From now on `codex queue` fails, saying this. */
  async breakQueue(message: string): Promise<void> {
    await writeFile(join(this.#options.home, 'broken'), message);
  }

  /** Codex ends the thread: it closes the server's standard input. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** A program `codex` that remembers how it was called. */
  async #installCodex(): Promise<void> {
    const { home } = this.#options;
    await mkdir(join(home, 'bin'), { recursive: true });
    const program = join(home, 'bin', 'codex');
    await writeFile(
      program,
      `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const call = { args: process.argv.slice(2), codexHome: process.env.CODEX_HOME };
appendFileSync(${JSON.stringify(join(home, 'queued'))}, JSON.stringify(call) + '\\n');
const broken = ${JSON.stringify(join(home, 'broken'))};
if (existsSync(broken)) {
  console.error(readFileSync(broken, 'utf8'));
  process.exit(1);
}
`,
    );
    await chmod(program, 0o755);
  }

  async #connect(): Promise<void> {
    const { plugin, home, hub } = this.#options;
    const path = [join(home, 'bin'), dirname(process.execPath), process.env['PATH']];
    const set = new Map([
      ['TANDRY_HUB', hub],
      ['TANDRY_HOME', home],
      ['CODEX_HOME', join(home, 'codex home')],
    ]);
    const passed = plugin.server.env_vars.flatMap((name) => {
      const value = set.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const transport = new StdioClientTransport({
      command: plugin.server.command,
      args: plugin.server.args,
      cwd: plugin.folder,
      env: { HOME: home, PATH: path.join(delimiter), ...Object.fromEntries(passed) },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.warnings += chunk.toString();
    });
    await this.#client.connect(transport);
  }

  async #request(name: string, args: object, meta: object) {
    const result = await this.#client.callTool({
      name,
      arguments: { ...args },
      _meta: { threadId: this.id, ...meta },
    });
    const { content, isError } = ToolResult.parse(result);
    return { text: content.map(({ text }) => text).join(), isError };
  }
}
