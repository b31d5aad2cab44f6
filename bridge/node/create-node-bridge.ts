// Completes a bridge with what Node brings: files, requests and sockets through proxies.
import { hostname } from 'node:os';
import { limits } from '../../protocol/limits.ts';
import type { HostKind } from '../../protocol/nouns.ts';
import { hostLabelOf } from '../../protocol/render/envelope.ts';
import { type Bridge, createBridge } from '../bridge.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { OpenSocket } from '../link/socket.ts';
import { type Random, systemRandom } from '../random.ts';
import type { Shell } from '../shell.ts';
import { type FileAccess, nodeFiles } from './files/file-access.ts';
import { createFileStore } from './files/file-store.ts';
import { homeFolder } from './files/paths.ts';
import { nodeHttp } from './http.ts';
import { Agents } from './proxy.ts';
import { nodeSocket } from './socket.ts';
import { readWorkspace } from './workspace.ts';

export interface NodeBridgeOptions {
  host: HostKind;
  /** The host's own conversation ID, never guessed. */
  conversation: string;
  shell: Shell;
  /** Where the conversation works; asked at each join. */
  folder: () => string;
  /** Whether hooks are processes of their own, which announce by `takeHookNotice`. */
  hooksAreProcesses?: boolean;
  /** URL of the Hub; else `TANDRY_HUB`, the one signed in to, the one built in. */
  hub?: string;
  /** Folder of the records; else `TANDRY_HOME`, else `~/.tandry`. */
  home?: string;
  /** Where `TANDRY_HUB` and `TANDRY_HOME` are looked up; else the process's environment. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Gets lines for people about files that cannot be used; else standard error. */
  warn?: (line: string) => void;
  clock?: Clock;
  random?: Random;
  files?: FileAccess;
  openSocket?: OpenSocket;
}

/** Makes the bridge of a conversation on Node. Opens and reads nothing before `start` or a call. */
export function createNodeBridge(options: NodeBridgeOptions): Bridge {
  const { host, conversation, shell, folder, hooksAreProcesses = false } = options;
  const { environment = process.env, warn = (line) => console.error(line) } = options;
  const { hub = environment['TANDRY_HUB'], home = homeFolder(environment) } = options;
  const { clock = systemClock, random = systemRandom, files = nodeFiles } = options;
  const agents = new Agents();
  const { openSocket = nodeSocket(agents) } = options;
  const store = createFileStore({
    home,
    conversation: { host, conversation },
    hub,
    files,
    warn,
  });
  return createBridge(
    {
      host,
      conversation,
      shell,
      workspace: () => readWorkspace(folder()),
      deviceLabel: deviceLabel(host),
      hooksAreProcesses,
    },
    {
      http: nodeHttp(agents),
      openSocket,
      store,
      clock,
      random,
      release: () => agents.destroy(),
    },
  );
}

function deviceLabel(host: HostKind): string {
  const label = `${hostLabelOf[host]} on ${hostname()}`;
  return Array.from(label).slice(0, limits.deviceLabelCharacters).join('');
}
