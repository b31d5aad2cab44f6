// For tests: a bridge on Node with real sockets and files, a fake Hub, a recording shell, and a
// clock that stands still. All of it is gone when the test is over.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import type { Bridge } from '../bridge.ts';
import { retryDelaysMs } from '../hub/hub-client.ts';
import { createNodeBridge, type NodeBridgeOptions } from '../node/create-node-bridge.ts';
import { type FileAccess, nodeFiles } from '../node/files/file-access.ts';
import { type Random, systemRandom } from '../random.ts';
import { FakeHub } from './fake-hub.ts';
import type { FakeMember } from './fake-rooms.ts';
import { ManualClock } from './manual-clock.ts';
import { RecordingShell } from './recording-shell.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tandry-bridge-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function startFakeHub(): Promise<FakeHub> {
  const hub = await FakeHub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

/** Waits for something that the other side of a socket brings about. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { timeout: 5_000, interval: 2 });
}

/** Lots without surprises: no jitter, rotation in the middle of its span. */
export const evenRandom: Random = { bytes: systemRandom.bytes, fraction: () => 0.5 };

/** File access that knows how many calls have not returned. */
function countingFiles(files: FileAccess): FileAccess & { pending: number } {
  const counted =
    <Args extends unknown[], Result>(access: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      counting.pending += 1;
      try {
        return await access(...args);
      } finally {
        counting.pending -= 1;
      }
    };
  const counting = {
    pending: 0,
    read: counted(files.read),
    write: counted(files.write),
    claim: counted(files.claim),
    list: counted(files.list),
    remove: counted(files.remove),
  };
  return counting;
}

export type Rig = Awaited<ReturnType<typeof createRig>>;

/** Parts of a conversation that has not joined and is not signed in. */
export async function createRig(options: Partial<NodeBridgeOptions> = {}) {
  const hub = await startFakeHub();
  const home = await temporaryFolder();
  const clock = new ManualClock();
  const shell = new RecordingShell();
  const room = hub.addRoom();
  const alice = hub.addMember(room, 'alice/review');
  const warnings: string[] = [];
  const conversation = '0a1b2c3d-conversation';
  const files = countingFiles(options.files ?? nodeFiles);

  /** Another bridge of the same conversation, as another process of it would have. */
  function createAnother(more: Partial<NodeBridgeOptions> = {}): Bridge {
    const bridge = createNodeBridge({
      host: 'codex',
      conversation,
      shell,
      folder: () => home,
      hub: hub.url,
      home,
      environment: {},
      warn: (line) => warnings.push(line),
      clock,
      random: evenRandom,
      ...options,
      files,
      ...more,
    });
    onTestFinished(() => bridge.dispose());
    return bridge;
  }

  const bridge = createAnother();
  const rig = {
    ...{ hub, home, clock, shell, room, alice, warnings, conversation, bridge, createAnother },
    member: () => hub.memberOf(room, conversation),
    linkCount: () => hub.links.open.length,
    /** Someone says something to everyone; resolves when the bridge knows. */
    async hear(body: string, sender: FakeMember = alice): Promise<void> {
      const { unread } = bridge.status();
      hub.say(room, sender, { body });
      await until(() => bridge.status().unread !== unread);
    },
    async signIn(): Promise<string> {
      await bridge.call('login', { action: 'start' });
      const token = hub.state.logins.approve('henry');
      await bridge.call('login', { action: 'start' });
      return token;
    },
    async join() {
      const result = await bridge.call('join', {
        room: room.shownCode,
        intro: 'Moving the Hub.',
        name: 'hub',
      });
      await until(() => hub.links.open.length > 0 && rig.member().wakeable !== undefined);
      return result;
    },
    /** The agent reads its inbox, and the host takes the result. */
    async readInbox(reader: Bridge = bridge): Promise<string> {
      const { text, delivered } = await reader.call('inbox', {});
      await delivered();
      return text;
    },
    /** Resolves once the bridge has done all that it can do without anyone else. */
    async quiet(): Promise<void> {
      await setImmediate();
      await until(() => files.pending === 0);
      await setImmediate();
    },
    hasMarker: () => existsSync(join(home, 'joined', 'codex', conversation)),
    /** Lets minutes pass one by one, so that pings are answered in between. */
    async pass(minutes: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.advance(60_000);
        await until(() => !clock.delaysMs.includes(10_000));
      }
    },
    /** Lets the pauses of an operation that fails pass, each once it has begun. */
    async passRetries(): Promise<void> {
      for (const delayMs of retryDelaysMs) {
        await until(() => clock.delaysMs.includes(delayMs));
        clock.advance(delayMs);
      }
    },
    turn(isRunning: boolean): void {
      shell.isIdle = !isRunning;
      bridge.changed();
    },
  };
  return rig;
}

/** A signed-in conversation in a room, with its link open. */
export async function createJoinedRig(options: Partial<NodeBridgeOptions> = {}): Promise<Rig> {
  const rig = await createRig(options);
  await rig.signIn();
  await rig.join();
  return rig;
}
