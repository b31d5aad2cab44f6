// Drives `codex app-server`, the protocol behind Codex's own interfaces: JSON lines on standard
// input and output.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as z from 'zod';

const deadlineMs = 60_000;

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.looseObject({ threadId: z.string().optional() }).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
type Message = z.infer<typeof Message>;

const Thread = z.object({ thread: z.looseObject({ id: z.string() }) });
const HookList = z.object({
  data: z.array(
    z.object({
      hooks: z.array(
        z.looseObject({ key: z.string(), currentHash: z.string(), trustStatus: z.string() }),
      ),
      warnings: z.array(z.string()),
      errors: z.array(z.unknown()),
    }),
  ),
});

interface Waiter {
  holds: () => boolean;
  resolve: () => void;
}

export class AppServer {
  readonly #child: ChildProcess;
  readonly #cwd: string;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #notes: Message[] = [];
  readonly #waiters = new Set<Waiter>();
  #serial = 0;

  /** Starts it in a folder, which becomes the one of its threads. */
  static async start(
    command: { file: string; env: NodeJS.ProcessEnv },
    cwd: string,
  ): Promise<AppServer> {
    const child = spawn(command.file, ['app-server'], {
      cwd,
      env: command.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const server = new AppServer(child, cwd);
    const clientInfo = { name: 'tandry-tests', title: 'Tests', version: '0' };
    const capabilities = { experimentalApi: true };
    try {
      await server.request('initialize', { clientInfo, capabilities });
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    server.#write({ method: 'initialized' });
    return server;
  }

  constructor(child: ChildProcess, cwd: string) {
    this.#child = child;
    this.#cwd = cwd;
    if (child.stdout === null) throw new Error('the app-server has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#received(Message.parse(JSON.parse(line)));
    });
    child.on('error', (error) => {
      for (const { reject } of this.#pending.values()) reject(error);
    });
  }

  async request(method: string, params: object): Promise<unknown> {
    this.#serial += 1;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(this.#serial, answer);
    this.#write({ id: this.#serial, method, params });
    return await within(answer.promise, method);
  }

  async startThread(): Promise<string> {
    return Thread.parse(await this.request('thread/start', { cwd: this.#cwd })).thread.id;
  }

  async fork(threadId: string): Promise<string> {
    return Thread.parse(await this.request('thread/fork', { threadId })).thread.id;
  }

  async resume(threadId: string): Promise<void> {
    await this.request('thread/resume', { threadId });
  }

  /** Gives the prompt; gives a promise of the turn's end. */
  async startTurn(threadId: string, text: string): Promise<{ ended: Promise<void> }> {
    const turns = this.#turnsEnded(threadId);
    const input = [{ type: 'text', text, text_elements: [] }];
    await this.request('turn/start', { threadId, input });
    const ended = this.#until(() => this.#turnsEnded(threadId) > turns, 'the end of the turn');
    return { ended };
  }

  /** Runs a whole turn. */
  async turn(threadId: string, text: string): Promise<void> {
    await (await this.startTurn(threadId, text)).ended;
  }

  /** Starts watching now; the result waits for the end of a turn that this side did not start. */
  watchTurn(threadId: string): () => Promise<void> {
    const turns = this.#turnsEnded(threadId);
    return () => this.#until(() => this.#turnsEnded(threadId) > turns, 'a woken turn');
  }

  async interrupt(threadId: string): Promise<void> {
    const started = this.#notes.findLast(
      ({ method, params }) => method === 'turn/started' && params?.threadId === threadId,
    );
    const turn = z.object({ turn: z.looseObject({ id: z.string() }) }).parse(started?.params).turn;
    await this.request('turn/interrupt', { threadId, turnId: turn.id });
  }

  /** Does what an owner does at `/hooks`; gives the trust of each hook afterwards. */
  async trustHooks(): Promise<string[]> {
    const edits = (await this.#hooks()).map(({ key, currentHash }) => {
      const [hash, content] = currentHash.split('/');
      return {
        keyPath: `hooks.state.${JSON.stringify(key)}`,
        mergeStrategy: 'replace',
        value: { enabled: true, trusted_hash: hash, trusted_content_hash: content },
      };
    });
    await this.request('config/batchWrite', { edits, reloadUserConfig: true });
    return (await this.#hooks()).map(({ trustStatus }) => trustStatus);
  }

  /** What Codex has to say against the hooks, which it shows people at each start. */
  async hookComplaints(): Promise<unknown[]> {
    return (await this.#hookLists()).flatMap(({ warnings, errors }) => [...warnings, ...errors]);
  }

  async #hooks() {
    return (await this.#hookLists()).flatMap(({ hooks }) => hooks);
  }

  async #hookLists() {
    return HookList.parse(await this.request('hooks/list', { cwds: [this.#cwd] })).data;
  }

  /** Ends it and the plugin processes it started. */
  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await ended;
  }

  #turnsEnded(thread: string): number {
    return this.#notes.filter(
      ({ method, params }) => method === 'turn/completed' && params?.threadId === thread,
    ).length;
  }

  #write(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #received(message: Message): void {
    if (message.id !== undefined && message.method === undefined) {
      const answer = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error === undefined) answer?.resolve(message.result);
      else answer?.reject(new Error(JSON.stringify(message.error)));
      return;
    }
    this.#notes.push(message);
    for (const waiter of this.#waiters) if (waiter.holds()) waiter.resolve();
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { holds, resolve };
    this.#waiters.add(waiter);
    await within(promise, what).finally(() => this.#waiters.delete(waiter));
  }
}

/** The result, or a rejection that says what did not come. */
async function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`waited in vain: ${what}`)), deadlineMs);
  return await Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
