// Codex with a home of its own: the built plugin installed, the fake model as its provider, the
// local Hub as TANDRY_HUB.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { AppServer } from './app-server.ts';
import { newFolder } from './folders.ts';

const run = promisify(execFile);
const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
const commandTimeoutMs = 60_000;

/** PATH of programs that find Codex, and a Node new enough for everything. */
export function codexPath(): string {
  const own = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');
  return [bin, own, process.env['PATH']].join(delimiter);
}

/** Codex looks for plugins and models on the internet; here it finds this machine alone. */
export const loopbackOnly = {
  ...{ HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' },
  ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
};

export interface CodexOptions {
  /** The plugin's package, as the build made it. */
  plugin: string;
  hub: string;
  /** Base URL of the provider. */
  model: string;
}

export class Codex {
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;
  /** Where its threads work: a repository called `garden`, on the branch `spring`. */
  readonly work: string;
  /** TANDRY_HOME. */
  readonly tandry: string;

  /** Installs the plugin the way the documentation says. */
  static async install({ plugin, hub, model }: CodexOptions): Promise<Codex> {
    const codex = new Codex(newFolder('codex'), hub);
    writeFileSync(join(codex.#folder, 'home', 'config.toml'), config(model, codex.work));
    await codex.run('plugin', 'marketplace', 'add', plugin);
    await codex.run('plugin', 'add', 'tandry@tandry-on-aws');
    return codex;
  }

  private constructor(folder: string, hub: string) {
    this.#folder = folder;
    this.work = join(folder, 'garden');
    this.tandry = join(folder, 'tandry');
    makeRepository(this.work, 'spring');
    mkdirSync(join(folder, 'home'));
    const { HOME, LANG } = process.env;
    this.#env = {
      ...{ HOME, LANG, ...loopbackOnly },
      PATH: codexPath(),
      CODEX_HOME: join(folder, 'home'),
      TANDRY_HOME: this.tandry,
      TANDRY_HUB: hub,
    };
  }

  /** Runs a command to its end; gives what it printed. */
  async run(...args: string[]): Promise<string> {
    const child = run(join(bin, 'codex'), args, {
      cwd: this.work,
      env: this.#env,
      timeout: commandTimeoutMs,
    });
    child.child.stdin?.end();
    return (await child).stdout;
  }

  startServer(): Promise<AppServer> {
    return AppServer.start({ file: join(bin, 'codex'), env: this.#env }, this.work);
  }

  /** Signs the device in with a token of that account. */
  signIn(hub: string, token: string, account: { id: string; handle: string | null }): void {
    mkdirSync(this.tandry, { recursive: true, mode: 0o700 });
    const { id, handle } = account;
    writeFileSync(
      join(this.tandry, 'credentials.json'),
      JSON.stringify({ hub, token, account: { id, handle } }),
      { mode: 0o600 },
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function config(model: string, work: string): string {
  return `model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.fake]
name = "Fake"
base_url = "${model}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0

[projects.${JSON.stringify(work)}]
trust_level = "trusted"

[analytics]
enabled = false
`;
}

function makeRepository(folder: string, branch: string): void {
  for (const name of ['objects', 'refs']) {
    mkdirSync(join(folder, '.git', name), { recursive: true });
  }
  writeFileSync(join(folder, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(folder, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n');
}
