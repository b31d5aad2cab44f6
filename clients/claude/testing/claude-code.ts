// For tests: what Claude Code does with the plugin, by its documentation. It runs the shipped
// programs: hooks in exec form with JSON on standard input, the MCP server over stdio, monitors in
// a shell. This process is the one that they know as Claude Code.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Plugin } from './plugin-files.ts';

const Output = z.strictObject({
  hookSpecificOutput: z.strictObject({
    hookEventName: z.string(),
    additionalContext: z.string().max(10_000).optional(),
    permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
    permissionDecisionReason: z.string().optional(),
  }),
});

const ToolResult = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
  isError: z.boolean().default(false),
});

/** What a hook said: context for the model, and whether a tool is refused. */
export interface HookAnswer {
  context: string | undefined;
  refusal: string | undefined;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
  /** What the hooks after the tool added beside its result. */
  context: string | undefined;
}

export interface ClaudeCodeOptions {
  plugin: Plugin;
  /** `TANDRY_HOME`. */
  home: string;
  hub: string;
  /** Where it works. */
  folder: string;
  /** The era of MCP that it opens with: absent is the one with `initialize`. */
  era?: '2026-07-28';
  /** The ID with which the server is started, if it is not that of the conversation. */
  spawnedFor?: string;
  conversation?: string;
  /** Whether it tells hooks and monitors its process ID. */
  tellsPid?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export class ClaudeCode {
  conversation: string;
  /** Lines of monitors so far. */
  readonly lines: string[] = [];
  /** Everything that any of the programs wrote anywhere. */
  written = '';
  readonly #options: ClaudeCodeOptions;
  readonly #monitors: ChildProcess[] = [];
  #transport: StdioClientTransport | undefined;
  #client: Client | undefined;

  constructor(options: ClaudeCodeOptions) {
    this.#options = options;
    this.conversation = options.conversation ?? randomUUID();
    onTestFinished(() => this.quit());
  }

  get environment(): Record<string, string> {
    const { home, hub, folder, plugin, tellsPid = true } = this.#options;
    return {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      HOME: home,
      TANDRY_HOME: home,
      TANDRY_HUB: hub,
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: folder,
      CLAUDE_PLUGIN_ROOT: plugin.folder,
      ...(tellsPid && { CLAUDE_PID: String(process.pid) }),
    };
  }

  /** Opens the session: the server is started, and hooks hear of it. */
  async open(source = 'startup'): Promise<HookAnswer> {
    const [answer] = await Promise.all([this.hook('SessionStart', { source }), this.connect()]);
    return answer;
  }

  /** Starts the MCP server, or another one in place of one that is gone. */
  async connect(): Promise<Client> {
    const { plugin, era, folder, spawnedFor = this.conversation } = this.#options;
    const server = plugin.servers['tandry'];
    if (server === undefined) throw new Error('the plugin has no server');
    const { CLAUDE_PID: _, ...env } = this.environment;
    const transport = new StdioClientTransport({
      command: server.command,
      args: server.args.map((arg) => this.#expanded(arg)),
      cwd: folder,
      env: { ...env, CLAUDE_CODE_SESSION_ID: spawnedFor },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.written += chunk.toString();
    });
    const client = new Client(
      { name: 'claude-code', version: '2.1.240' },
      era === undefined ? {} : { versionNegotiation: { mode: { pin: era } } },
    );
    await client.connect(transport);
    this.#transport = transport;
    this.#client = client;
    return client;
  }

  /** Process ID of the MCP server. */
  get serverPid(): number {
    return this.#transport?.pid ?? 0;
  }

  /** Runs the hooks of an event, all at once. */
  async hook(name: string, fields: Fields = {}): Promise<HookAnswer> {
    const registered = new Map(Object.entries(this.#options.plugin.hooks)).get(name) ?? [];
    const subject = fields['tool_name'] ?? fields['notification_type'] ?? '';
    const hooks = registered
      .filter(({ matcher = '.*' }) => new RegExp(`^(?:${matcher})$`).test(String(subject)))
      .flatMap((group) => group.hooks);
    const input = JSON.stringify({
      session_id: this.conversation,
      transcript_path: '/nowhere/transcript.jsonl',
      cwd: this.#options.folder,
      permission_mode: 'default',
      hook_event_name: name,
      prompt_id: 'p1',
      ...fields,
    });
    const answers = await Promise.all(
      hooks.map(({ command, args }) =>
        this.runProgram(
          command,
          args.map((arg) => this.#expanded(arg)),
          input,
        ),
      ),
    );
    const outputs = answers.flatMap((answer) =>
      answer === '' ? [] : Output.parse(JSON.parse(answer)).hookSpecificOutput,
    );
    for (const output of outputs) {
      if (output.hookEventName !== name) throw new Error(`answers ${output.hookEventName}`);
    }
    return {
      context: outputs.find((output) => output.additionalContext)?.additionalContext,
      refusal: outputs.find((output) => output.permissionDecision === 'deny')
        ?.permissionDecisionReason,
    };
  }

  prompt(prompt = 'go on'): Promise<HookAnswer> {
    return this.hook('UserPromptSubmit', { prompt });
  }

  stop(isContinued = false): Promise<HookAnswer> {
    const fields = { stop_hook_active: isContinued, last_assistant_message: 'done' };
    return this.hook('Stop', fields);
  }

  /** The model calls a tool of ours, with the hooks around it. */
  async call(tool: string, args: Fields = {}, subagent: Fields = {}): Promise<ToolAnswer> {
    const about = {
      tool_name: `mcp__plugin_tandry_tandry__${tool}`,
      tool_input: args,
      tool_use_id: randomUUID(),
      ...subagent,
    };
    const { refusal } = await this.hook('PreToolUse', about);
    if (refusal !== undefined) return { text: refusal, isError: true, context: undefined };
    const shown = await this.callServer(tool, args);
    const { context } = await this.hook('PostToolUse', { ...about, tool_response: shown });
    return { ...shown, context };
  }

  /** The call alone, as the server gets it. */
  async callServer(tool: string, args: Fields = {}): Promise<{ text: string; isError: boolean }> {
    if (this.#client === undefined) throw new Error('the server is not connected');
    const result = await this.#client.callTool({ name: tool, arguments: { ...args } });
    const { content, isError } = ToolResult.parse(result);
    return { text: content[0]?.text ?? '', isError };
  }

  /** The model, or its owner, uses a skill: monitors that wait for it are started. */
  useSkill(name: string): void {
    const { monitors, folder } = { ...this.#options.plugin, folder: this.#options.folder };
    for (const { command, when } of monitors) {
      if (when !== 'always' && when !== `on-skill-invoke:tandry:${name}`) continue;
      const monitor = spawn(this.#expanded(command), {
        shell: true,
        cwd: folder,
        env: this.environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        // In a group, so that it can be ended together with its shell.
        detached: true,
      });
      this.#monitors.push(monitor);
      createInterface({ input: monitor.stdout }).on('line', (line) => {
        this.written += `${line}\n`;
        this.lines.push(line);
      });
    }
  }

  endMonitors(signal: NodeJS.Signals = 'SIGTERM'): void {
    for (const { pid } of this.#monitors.splice(0))
      if (pid !== undefined) process.kill(-pid, signal);
  }

  /** Another conversation is shown in the same process. */
  async switchTo(conversation: string, reason: string, source: string): Promise<HookAnswer> {
    await this.hook('SessionEnd', { reason });
    this.conversation = conversation;
    return await this.hook('SessionStart', { source });
  }

  async quit(reason = 'prompt_input_exit'): Promise<void> {
    if (this.#client === undefined) return this.endMonitors();
    await this.hook('SessionEnd', { reason });
    this.endMonitors();
    await this.#client.close();
    this.#client = undefined;
  }

  /** Runs a program to its end, which has to be a good one; gives what it printed. */
  async runProgram(command: string, args: readonly string[], input: string): Promise<string> {
    const child = spawn(command, args, {
      cwd: this.#options.folder,
      env: this.environment,
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    this.written += output + errors;
    if (code !== 0 || errors !== '') throw new Error(`the hook failed (${code}): ${errors}`);
    return output;
  }

  #expanded(text: string): string {
    const values = new Map(Object.entries(this.environment));
    return text.replace(/\$\{([A-Z_]+)\}/g, (_, name: string) => values.get(name) ?? '');
  }
}
