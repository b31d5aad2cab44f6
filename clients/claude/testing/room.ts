// For tests: a Claude Code session beside a fake Hub, which has joined a room or not.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type HookOptions, readRun } from '../../../bridge/node/index.ts';
import { startFakeHub } from '../../../bridge/testing/rig.ts';
import { ClaudeCode, type ClaudeCodeOptions } from './claude-code.ts';
import type { Plugin } from './plugin-files.ts';

// Some tens of processes a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

/** Waits for what processes bring about. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { timeout: 20_000, interval: 20 });
}

export async function privateHome(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tandry home '));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Files below a folder with their permissions; none if there is no such folder. */
export async function filesIn(folder: string): Promise<{ path: string; mode: number }[]> {
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  return await Promise.all(
    paths.map(async (path) => ({
      path,
      mode: (await stat(join(folder, path))).mode & 0o777,
    })),
  );
}

export async function createSession(plugin: Plugin, options: Partial<ClaudeCodeOptions> = {}) {
  const hub = await startFakeHub();
  const home = await privateHome();
  const room = hub.addRoom();
  const alice = hub.addMember(room, 'alice/review');
  const settings = { plugin, home, hub: hub.url, folder: home, ...options };
  const claude = new ClaudeCode(settings);
  return { hub, home, room, alice, claude, settings };
}

export type Session = Awaited<ReturnType<typeof createSession>>;

/** Signs in and joins, as the model does. */
export async function enterRoom(
  { claude, hub, room }: Session,
  more: object = {},
): Promise<string> {
  await claude.call('login', { action: 'start' });
  const token = hub.state.logins.approve('henry');
  await claude.call('login', { action: 'start' });
  const args = { room: room.shownCode, intro: 'Moving the Hub.', name: 'hub', ...more };
  const { text, isError } = await claude.call('join', args);
  expect(isError, text).toBe(false);
  await until(() => hub.links.open.length > 0);
  return token;
}

/** A session whose conversation is in a room, between turns. */
export async function createJoinedSession(
  plugin: Plugin,
  options: Partial<ClaudeCodeOptions> = {},
) {
  const session = await createSession(plugin, options);
  const { claude, hub, room } = session;
  await claude.open();
  await claude.prompt();
  const token = await enterRoom(session);
  await claude.stop();
  return {
    ...session,
    token,
    /** What the Hub knows of it. */
    member: () => hub.memberOf(room, claude.conversation),
    /** Someone says something; resolves when hooks could know. */
    hear: (body: string) => hear(session, body),
    /** How often the bridge has asked for a turn: zero if mail came while one ran. */
    async wakes(): Promise<number | undefined> {
      return (await readRun(runOf(session)))?.wakes;
    },
    /** The join skill was used, and the Hub knows that mail starts turns. */
    async arm(): Promise<void> {
      claude.useSkill('join');
      await until(() => hub.memberOf(room, claude.conversation).wakeable === true);
    },
  };
}

async function hear(session: Session, body: string): Promise<void> {
  const { hub, room, alice } = session;
  const seq = room.log.length + 1;
  hub.say(room, alice, { body });
  await until(async () => (await readRun(runOf(session)))?.upTo === seq);
}

const runOf = ({ home, claude: { conversation } }: Session): HookOptions => ({
  home,
  conversation: { host: 'claude', conversation },
});
