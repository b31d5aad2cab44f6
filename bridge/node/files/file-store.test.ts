import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../records.ts';
import { createJoinedRig, createRig, temporaryFolder } from '../../testing/rig.ts';
import { nodeFiles } from './file-access.ts';
import { createFileStore } from './file-store.ts';
import { fileNameOf } from './names.ts';
import { homeFolder, recordPaths } from './paths.ts';

const conversation = { host: 'codex' as const, conversation: 'c' };
const hub = 'https://hub.example';
const credentials = { hub, token: 'token', account: { id: 'id', handle: null } };
const marker = { room: 'r_12345678', roomName: 'Hub', code: '4BCD-2QQF', member: 'henry/hub' };
const blank: Run = { unread: 0, upTo: 0, key: '', notice: '', atTurnEnd: false, wakes: 0 };

async function createStore(home?: string) {
  const folder = home ?? join(await temporaryFolder(), '.tandry');
  const lines: string[] = [];
  const warn = (line: string) => lines.push(line);
  const options = { home: folder, conversation, hub: undefined, files: nodeFiles, warn };
  return {
    home: folder,
    lines,
    paths: recordPaths(folder, conversation),
    store: createFileStore(options),
  };
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('records', () => {
  test('files are 0600 and folders 0700, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      const { store, home, paths } = await createStore();
      await store.signIn(credentials);
      await store.writeMarker(marker);
      await store.writeRun(blank);
      await nodeFiles.claim(join(paths.taken, '1-0'));
      const entries = await readdir(home, { recursive: true, withFileTypes: true });
      expect(entries.length).toBeGreaterThan(7);
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name);
        expect(await modeOf(path), path).toBe(entry.isDirectory() ? '700' : '600');
      }
      expect(await modeOf(home)).toBe('700');
    } finally {
      process.umask(umask);
    }
  });

  test('stand where the protocol says', async () => {
    const { store, home } = await createStore();
    await store.signIn(credentials);
    await store.writeMarker(marker);
    await store.writeRun(blank);
    const read = async (path: string) => JSON.parse(await readFile(join(home, path), 'utf8'));
    expect(await read('credentials.json')).toEqual(credentials);
    expect(await read('joined/codex/c')).toEqual(marker);
    expect(await read('run/codex/c')).toEqual(blank);
  });

  test('come back, and are gone once removed', async () => {
    const { store, home } = await createStore();
    await store.writeMarker(marker);
    await store.writeRun(blank);
    expect(await store.readMarker()).toEqual(marker);
    expect(await store.readRun()).toEqual(blank);
    await Promise.all([store.removeMarker(), store.removeRun(), store.signOut()]);
    expect(await store.readMarker()).toBeUndefined();
    expect(await store.readRun()).toBeUndefined();
    expect(await readdir(join(home, 'run', 'codex')), 'no draft is left').toEqual([]);
  });

  test('the run file holds what was written last', async () => {
    const { store } = await createStore();
    await Promise.all([1, 2, 3].map((wakes) => store.writeRun({ ...blank, wakes })));
    expect(await store.readRun()).toEqual({ ...blank, wakes: 3 });
    await Promise.all([store.writeRun(blank), store.removeRun()]);
    expect(await store.readRun()).toBeUndefined();
  });

  test('a file with other permissions is replaced by a private one', async () => {
    const { store, paths } = await createStore();
    await store.signIn(credentials);
    await chmod(paths.credentials, 0o644);
    await store.signIn(credentials);
    expect(await modeOf(paths.credentials)).toBe('600');
  });

  test.each([
    ['not JSON', '{"room":'],
    ['empty', ''],
    ['of another shape', '{"room":"r_12345678"}'],
    ['with a room ID that is a path', JSON.stringify({ ...marker, room: '../../etc' })],
    ['a list', '[]'],
  ])('one that is %s counts as absent, with one line', async (_name, text) => {
    const { store, lines, paths } = await createStore();
    await nodeFiles.write(paths.marker, text);
    expect(await store.readMarker()).toBeUndefined();
    expect(await store.readMarker()).toBeUndefined();
    expect(lines).toEqual([
      `Tandry ignores ${paths.marker}: it is damaged. Delete it, or repair it.`,
    ]);
  });

  test('damaged credentials mean signed out, and nothing of them is shown', async () => {
    const { lines, paths, home } = await createStore();
    await nodeFiles.write(paths.credentials, '{"token":"secret-token"');
    const { bridge, warnings } = await createRig({ home });
    expect((await bridge.call('status', {})).text).toMatch('Error not_logged_in');
    expect([...lines, ...warnings].join()).not.toMatch('secret');
    expect(warnings).toHaveLength(1);
  });

  test('a folder in the place of a file is told, and harms nothing', async () => {
    const { store, lines, paths } = await createStore();
    await mkdir(paths.marker, { recursive: true });
    expect(await store.readMarker()).toBeUndefined();
    expect(lines.join()).toMatch('EISDIR');
  });

  test('what cannot be written is told, and the conversation goes on', async () => {
    const { store, lines, paths, home } = await createStore();
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'joined'), 'a file where a folder should be');
    await store.writeMarker(marker);
    expect(lines).toEqual([expect.stringMatching(`^Tandry could not write ${paths.marker}: E`)]);
  });
});

describe('where operations go', () => {
  test.each([
    ['the Hub of the credentials', undefined, hub, { hub, token: 'token' }],
    ['the variable, with credentials for it', hub, hub, { hub, token: 'token' }],
    ['in whatever form', `${hub}/`, 'https://HUB.example', { hub, token: 'token' }],
    [
      'the variable, without credentials for another Hub',
      'https://other.example',
      hub,
      { hub: 'https://other.example' },
    ],
  ])('%s', async (_name, variable, signedInAt, session) => {
    const { home } = await createStore();
    const warn = () => {};
    const options = { home, conversation, hub: variable, files: nodeFiles, warn };
    const store = createFileStore(options);
    await store.signIn({ ...credentials, hub: signedInAt });
    expect(await store.session()).toEqual(session);
  });
});

describe('file names', () => {
  test.each([
    ['0a1b2c3d-4e5f', '0a1b2c3d-4e5f'],
    ['.', '%2E'],
    ['..', '%2E%2E'],
    ['...', '%2E%2E%2E'],
    ['.hidden', '.hidden'],
    ['../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
    ['a\\b:c', 'a%5Cb%3Ac'],
    ['x'.repeat(200), 'x'.repeat(200)],
  ])('of %s', (id, name) => {
    expect(fileNameOf(id)).toBe(name);
  });

  test('over 200 bytes are a hash', () => {
    expect(fileNameOf('x'.repeat(201))).toMatch(/^[0-9a-f]{64}$/);
    expect(fileNameOf('/'.repeat(67))).toMatch(/^[0-9a-f]{64}$/);
    expect(fileNameOf(`${'/'.repeat(67)}a`)).not.toBe(fileNameOf('/'.repeat(67)));
  });

  test('stay below their folder', () => {
    for (const id of ['..', '../x', '/', '.', 'a/../../b']) {
      const { marker: path } = recordPaths('/home', { host: 'pi', conversation: id });
      expect(dirname(path)).toBe(join('/home', 'joined', 'pi'));
    }
  });
});

test('the home is where TANDRY_HOME says', async () => {
  expect(homeFolder({ TANDRY_HOME: '/elsewhere' })).toBe('/elsewhere');
  expect(homeFolder({ TANDRY_HOME: '' })).toMatch(/\.tandry$/);
  expect(homeFolder({ TANDRY_HOME: 'tandry' }), 'wherever a process runs').toBe(
    join(homedir(), 'tandry'),
  );
  const home = join(await temporaryFolder(), 'new', 'home');
  const { createAnother } = await createJoinedRig();
  const elsewhere = createAnother({ home });
  await elsewhere.start();
  expect(elsewhere.status().room).toBeUndefined();
});
