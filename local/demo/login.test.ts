// `npm run demo -- --login` as a program: from nothing to a machine in a room, with pictures.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { windowSizes } from '../chromium/sizes.ts';
import { temporaryFolder } from '../fixtures/resources.ts';
import { readAfter, runDemo } from './testing/run-demo.ts';

vi.setConfig({ testTimeout: 180_000 });

const pages = ['sign-in', 'handle', 'device', 'approval', 'done', 'consent'];

/** Of a PNG: its header begins with them. */
function sizeOf(path: string) {
  const bytes = readFileSync(path);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

test('it leads from nothing to a machine in a room, and pictures what the person saw', async () => {
  const folder = join(temporaryFolder(), 'pictures');
  const run = await runDemo('--login', '--screenshots', folder);
  expect([run.stderr, run.code]).toEqual(['', 0]);

  const asked = readAfter(run, 'A machine asks to be signed in');
  const code = /\nCode: (\S{4}-\S{4})\n/.exec(asked)?.[1];
  expect(asked).toContain(`/device?user_code=${code}\n`);
  expect(readAfter(run, 'The account is new')).toContain('Pick your handle');
  expect(run.stdout).toContain(`● The device page has the code of the URL in its field: ${code}\n`);
  const seen = readAfter(run, 'The owner sees what asks');
  expect(seen).toContain(`${code}\nMachine\nAna’s laptop\n`);
  expect(readAfter(run, 'The owner approves')).toContain('The machine is signed in.');
  expect(readAfter(run, 'The machine asks again')).toBe('Signed in as ana.');
  expect(readAfter(run, 'The machine’s agent joins room')).toContain('as ana/shop.');
  expect(readAfter(run, 'A chat on the web asks')).toContain('You are sent back to\nclaude.ai\n');

  const sizes = Object.entries(windowSizes);
  const expected = pages.flatMap((page, at) =>
    sizes.map(([device, size]) => [`0${at + 1}-${page}-${device}.png`, size] as const),
  );
  const taken = readdirSync(folder).map((name) => [name, sizeOf(join(folder, name))] as const);
  expect(Object.fromEntries(taken)).toEqual(Object.fromEntries(expected));
  // Chromium's processes are told to end, and one may be a moment later than the program.
  await expect.poll(run.isAlive).toBe(false);
});

test.each([
  [['--screenshots', '/tmp'], '--screenshots goes with --login. See npm run demo -- --help\n'],
  [['--log'], "Unknown option '--log'. See npm run demo -- --help\n"],
])('%o is refused in one line', async (options, line) => {
  const { stdout, stderr, code } = await runDemo(...options);
  expect([stdout, stderr, code]).toEqual(['', line, 1]);
});
