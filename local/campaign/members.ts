// The campaign's members: push ones in processes that can be killed, pull ones that poll.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import type { HostKind } from '../../protocol/nouns.ts';
import type { CallContext } from '../../protocol/wire.ts';
import { callHub } from './hub-calls.ts';
import { MemberLedger } from './ledger.ts';
import type { MemberOrders, MemberReport } from './messages.ts';

const workspace = { repo: '', branch: '' };
const pollMs = 800;

export interface Member {
  readonly context: Required<CallContext>;
  readonly ledger: MemberLedger;
  readonly tier: 'push' | 'pull';
  /** Ends its process without a word and starts another one; nothing for a pull member. */
  kill(): void;
  close(): Promise<void>;
}

export interface MemberPlan {
  readonly hub: string;
  readonly token: string;
  readonly room: { readonly id: string; readonly code: string };
  readonly name: string;
  readonly speed: number;
  /** The bundled program of a push member. */
  readonly program: string;
}

/** Bundles the member's program: it is started over and over, so that its start must be quick. */
export function bundleMember(folder: string): string {
  const outfile = join(folder, 'member.cjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'member.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  return outfile;
}

async function joinRoom(plan: MemberPlan, host: HostKind) {
  const { hub, token, room, name } = plan;
  const caller = { host, conversation: `${name}-${process.pid}` };
  const context = { token, room: room.id, caller };
  const { member } = await callHub(hub, 'join', context, {
    code: room.code,
    intro: `I am ${name}.`,
    name,
    workspace,
  });
  return { context, ledger: new MemberLedger(member) };
}

/** A member with a link, in a process of its own. */
export async function startPushMember(plan: MemberPlan): Promise<Member> {
  const { context, ledger } = await joinRoom(plan, 'codex');
  let child: ChildProcess | undefined;
  let isClosing = false;

  function listen({ t, ...report }: MemberReport): void {
    const nowMs = Date.now();
    if ('isOpen' in report) report.isOpen ? ledger.linked(nowMs) : ledger.unlinked();
    else if ('ids' in report) ledger.delivered(report.ids);
    else if (t === 'told') ledger.told(report.upTo, nowMs);
  }

  function start(): void {
    if (isClosing) return;
    child = fork(plan.program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('message', listen);
    child.once('exit', () => {
      ledger.unlinked();
      start();
    });
    const orders: MemberOrders = { hub: plan.hub, context, speed: plan.speed };
    child.send(orders);
  }

  start();
  return {
    context,
    ledger,
    tier: 'push',
    kill: () => void child?.kill('SIGKILL'),
    async close() {
      isClosing = true;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await ended;
    },
  };
}

/** A member that polls its inbox from two places at once, as a web chat with two tabs does. */
export async function startPullMember(plan: MemberPlan): Promise<Member> {
  const { context, ledger } = await joinRoom(plan, 'chatgpt-web');
  const end = new AbortController();

  async function poll(): Promise<void> {
    while (!end.signal.aborted) {
      const { messages } = await callHub(plan.hub, 'inbox', context, {});
      ledger.delivered(messages.map(({ id }) => id));
      if (messages.length === 0) await pause(pollMs, undefined, { signal: end.signal });
    }
  }

  const polling = Promise.allSettled([poll(), poll()]);
  return {
    context,
    ledger,
    tier: 'pull',
    kill: () => {},
    async close() {
      end.abort();
      const broken = (await polling).find(
        (poller) => poller.status === 'rejected' && !isAbort(poller.reason),
      );
      if (broken?.status === 'rejected') throw broken.reason;
    },
  };
}

function isAbort(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'AbortError';
}
