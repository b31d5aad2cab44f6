import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Bindings } from './bindings.ts';
import { type FileAccess, nodeFiles } from './node/files/file-access.ts';
import { readRun } from './node/files/hook-notice.ts';
import { createJoinedRig, createRig, type Rig, until } from './testing/rig.ts';

/** File access that remembers each path it was asked for. */
function recordingFiles() {
  const paths: string[] = [];
  const recorded =
    <Args extends [string, ...unknown[]], Result>(access: (...args: Args) => Result) =>
    (...args: Args) => {
      paths.push(args[0]);
      return access(...args);
    };
  const files: FileAccess = {
    read: recorded(nodeFiles.read),
    write: recorded(nodeFiles.write),
    claim: recorded(nodeFiles.claim),
    list: recorded(nodeFiles.list),
    remove: recorded(nodeFiles.remove),
  };
  return { files, paths };
}

describe('a conversation that never joined', () => {
  test('opens no connection, reads no credentials, and leaves no trace', async () => {
    const { files, paths } = recordingFiles();
    const { bridge, hub, home, shell, clock, conversation } = await createRig({ files });
    await bridge.start();
    shell.isIdle = false;
    bridge.changed();
    expect(bridge.takeNotice('end')).toBeUndefined();
    expect(bridge.status()).toEqual({ unread: 0 });
    expect((await bridge.call('inbox', {})).text).toMatch('Error not_in_room');
    await bridge.dispose();
    expect(new Set(paths)).toEqual(new Set([join(home, 'joined', 'codex', conversation)]));
    expect(hub.requests).toEqual([]);
    expect(hub.links.upgrades).toEqual([]);
    expect(clock.delaysMs).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });

  test('is not brought online by the marker of another one', async () => {
    const { createAnother, hub } = await createJoinedRig();
    const other = createAnother({ conversation: 'another-conversation' });
    await other.start();
    expect(other.status().room).toBeUndefined();
    expect(hub.links.upgrades).toHaveLength(1);
  });
});

test('a conversation ID that is none is refused', async () => {
  const { createAnother } = await createRig();
  for (const conversation of ['', 'a b', 'ü', 'x'.repeat(201)]) {
    expect(() => createAnother({ conversation })).toThrow();
  }
});

describe('starting', () => {
  test('twice opens one link', async () => {
    const rig = await createJoinedRig();
    const resumed = rig.createAnother();
    await Promise.all([resumed.start(), resumed.start()]);
    await resumed.start();
    await until(() => rig.hub.links.opened === 2);
    expect(rig.hub.links.upgrades).toHaveLength(2);
  });

  test('the marker alone brings a process online', async () => {
    const { bridge, createAnother, linkCount } = await createJoinedRig();
    await bridge.dispose();
    await until(() => linkCount() === 0);
    const resumed = createAnother();
    await resumed.start();
    await until(() => linkCount() === 1);
    expect(resumed.status().room).toEqual({ name: 'Hub', member: 'henry/hub' });
  });

  test('signed out, it waits without a link', async () => {
    const { bridge, home, createAnother, hub, clock } = await createJoinedRig();
    await bridge.dispose();
    await nodeFiles.remove(join(home, 'credentials.json'));
    const resumed = createAnother();
    await resumed.start();
    await until(() => resumed.status().unreachable === 'this device is not signed in.');
    expect(hub.links.upgrades).toHaveLength(1);
    expect(clock.delaysMs).toEqual([]);
  });
});

describe('disposing', () => {
  test('leaves no timer, no socket and no run file', async () => {
    const { bridge, hear, home, clock, linkCount, hub } = await createJoinedRig();
    await hear('one');
    await bridge.call('login', { action: 'start' });
    hub.state.logins.accounts.clear();
    await bridge.call('login', { action: 'start' });
    const { delivered } = await bridge.call('inbox', {});
    await bridge.dispose();
    expect(clock.delaysMs).toEqual([]);
    await until(async () => linkCount() === 0 && (await hub.connectionCount()) === 0);
    expect(await readdir(join(home, 'run', 'codex'))).toEqual([]);
    await delivered();
    expect((await bridge.call('members', {})).isError).toBe(true);
    bridge.changed();
    await bridge.dispose();
    expect(clock.delaysMs).toEqual([]);
  });

  test('leaves its files to a later process of the same conversation', async () => {
    const { bridge, hub, room, alice, home, conversation, createAnother } = await createJoinedRig();
    const later = createAnother();
    await later.start();
    await until(() => bridge.status().unreachable?.includes('another process') === true);
    hub.say(room, alice, { body: 'one' });
    const place = { home, conversation: { host: 'codex', conversation } } as const;
    await until(async () => (await readRun(place))?.unread === 1);
    await bridge.dispose();
    expect(await readRun(place)).toMatchObject({ unread: 1 });
    expect(later.status().unreachable).toBeUndefined();
  });

  test('in the middle of connecting, too', async () => {
    const { bridge, hub, createAnother, clock } = await createJoinedRig();
    await bridge.dispose();
    hub.links.isHanging = true;
    const resumed = createAnother();
    await resumed.start();
    await until(() => hub.links.upgrades.length === 2);
    await resumed.dispose();
    expect(clock.delaysMs).toEqual([]);
  });

  test('at once after starting, too', async () => {
    const { bridge, hub, createAnother, clock } = await createJoinedRig();
    await bridge.dispose();
    const resumed = createAnother();
    void resumed.start();
    await resumed.dispose();
    expect(clock.delaysMs).toEqual([]);
    expect(hub.links.open).toEqual([]);
  });
});

/** A client that is a process of its own, with a real clock. */
function runProgram({ hub, home, room }: Rig, ending: string) {
  const program = join(import.meta.dirname, 'testing', 'program.ts');
  const args = [hub.url, home, 'a-process', room.shownCode, ending];
  const child = spawn(process.execPath, ['--experimental-strip-types', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('a process', () => {
  test('ends by itself once its bridge is disposed of', async () => {
    const rig = await createRig();
    await rig.signIn();
    const child = runProgram(rig, 'dispose');
    const [output, errors] = [textOf(child.stdout), textOf(child.stderr)];
    await vi.waitUntil(() => rig.linkCount() === 1, { timeout: 15_000 });
    rig.hub.say(rig.room, rig.alice, { body: 'one' });
    const [code] = await once(child, 'exit');
    expect(await errors).not.toMatch(/rror/);
    expect(await output).toBe('disposed\n');
    expect(code).toBe(0);
  });

  test('killed between inbox and read loses nothing', async () => {
    const rig = await createRig();
    await rig.signIn();
    rig.hub.addMember(rig.room, 'henry/process', {
      account: rig.hub.state.account({ token: [...rig.hub.state.logins.accounts.keys()].at(-1) }),
      conversation: 'a-process',
    });
    rig.hub.say(rig.room, rig.alice, { body: 'do not lose me' });
    const child = runProgram(rig, 'hang');
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await vi.waitUntil(() => output.includes('end of inbox'), { timeout: 15_000 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(output).toMatch('do not lose me');
    const resumed = rig.createAnother({ conversation: 'a-process' });
    await resumed.start();
    expect(await rig.readInbox(resumed)).toMatch('do not lose me');
    expect(await rig.readInbox(resumed)).toBe('The inbox is empty.');
  });
});

test('listeners hear of the notice that may be given, and of its end', async () => {
  const { bridge, hear, turn, readInbox } = await createJoinedRig();
  const heard: (string | undefined)[] = [];
  const stop = bridge.onNotice((notice) => heard.push(notice));
  turn(true);
  await hear('one');
  await readInbox();
  stop();
  await hear('two');
  expect(heard).toEqual([expect.stringMatching(/^Tandry: 1 unread message/), undefined]);
});

describe('bindings of several conversations', () => {
  test('bind each once, release and dispose', async () => {
    const { createAnother, hub, room } = await createJoinedRig();
    const bindings = new Bindings((conversation) => createAnother({ conversation }));
    const [first, second] = [bindings.bind('one'), bindings.bind('two')];
    expect(bindings.bind('one')).toBe(first);
    for (const bridge of [first, second]) {
      await bridge.call('join', { room: room.shownCode, intro: 'x' });
    }
    await until(() => hub.links.open.length === 3);
    await bindings.release('one');
    await until(() => hub.links.open.length === 2);
    expect(bindings.bind('one')).not.toBe(first);
    await bindings.dispose();
    await until(() => hub.links.open.length === 1);
  });
});

describe('the token', () => {
  test('is in no result, status, line or file but the credentials', async () => {
    const printed = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const rig = await createRig();
    const token = await rig.signIn();
    const shown: unknown[] = [await rig.join(), rig.warnings];
    await rig.hear('one');
    for (const [tool, args] of [
      ['status', {}],
      ['members', {}],
      ['inbox', {}],
      ['login', { action: 'start' }],
      ['send', { to: ['nobody/here'], body: 'x' }],
    ] as const) {
      shown.push(await rig.bridge.call(tool, args), rig.bridge.status());
    }
    rig.hub.links.refusal = 403;
    rig.hub.links.cut();
    await until(() => rig.bridge.status().unreachable !== undefined);
    await rig.hub.stop();
    const unanswered = rig.bridge.call('members', {});
    await rig.passRetries();
    shown.push(await unanswered, rig.bridge.status());
    for (const path of await readdir(rig.home, { recursive: true, withFileTypes: true })) {
      if (!path.isFile() || path.name === 'credentials.json') continue;
      shown.push(await readFile(join(path.parentPath, path.name), 'utf8'));
    }
    const output = printed.flatMap((spy) => spy.mock.calls);
    expect(JSON.stringify([shown, output])).not.toMatch(token);
    expect(await readFile(join(rig.home, 'credentials.json'), 'utf8')).toMatch(token);
  });
});
