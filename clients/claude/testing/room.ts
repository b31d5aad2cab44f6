// For tests: a Claude Code session beside a fake Hub, which has joined a room or not.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { startFakeHub } from '../../../bridge/testing/rig.ts';
import { ClaudeCode, type ClaudeCodeOptions } from './claude-code.ts';
import type { Plugin } from './plugin-files.ts';

/** Processes have to start on a machine that may be busy. */
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
  const { claude, hub, room, alice } = session;
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
    hear: (body: string) => hear(session, body, alice),
    /** The join skill was used, and the Hub knows that mail starts turns. */
    async arm(): Promise<void> {
      claude.useSkill('join');
      await until(() => hub.memberOf(room, claude.conversation).wakeable === true);
    },
  };
}

async function hear({ hub, room, home, claude }: Session, body: string, sender: Session['alice']) {
  const seq = room.log.length + 1;
  hub.say(room, sender, { body });
  await until(async () => (await runFile(home, claude.conversation)).includes(`"upTo":${seq}`));
}

async function runFile(home: string, conversation: string): Promise<string> {
  return await readFile(join(home, 'run', 'claude', conversation), 'utf8').catch(() => '');
}
