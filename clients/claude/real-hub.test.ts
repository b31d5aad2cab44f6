// Two sessions of Claude Code, each with the shipped plugin, at the real Hub.
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtPackage } from '../testing/built.ts';
import { type RealHub, startRealHub } from '../testing/real-hub.ts';
import { claude as claudePackage } from './package.ts';
import { ClaudeCode } from './testing/claude-code.ts';
import { readPlugin } from './testing/plugin-files.ts';
import { privateHome, until } from './testing/room.ts';

// The assembly may have to be made first.
vi.setConfig({ testTimeout: 240_000 });

const plugin = await readPlugin(await builtPackage(claudePackage));

async function signedIn(hub: RealHub, handle: string): Promise<ClaudeCode> {
  const home = await privateHome();
  const claude = new ClaudeCode({ plugin, home, hub: hub.url, folder: home });
  await claude.open();
  await claude.prompt('join the room');
  await hub.approve((await claude.call('login', { action: 'start' })).text, handle);
  expect((await claude.call('login', { action: 'start' })).text).toBe(`Signed in as ${handle}.`);
  return claude;
}

test('from joining over notices at every place to a conversation that is woken', async () => {
  const hub = await startRealHub();
  onTestFinished(hub.close);
  const [ada, bob] = [await signedIn(hub, 'ada'), await signedIn(hub, 'bob')];
  const about = { name: 'Hub', description: 'Moving the Hub.' };
  const made = await ada.call('new_room', about);
  const room = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(made.text)?.[0] ?? '';
  for (const [claude, name] of [
    [ada, 'api'],
    [bob, 'tests'],
  ] as const) {
    const joined = await claude.call('join', { room, name, intro: `I work on the ${name}.` });
    expect(joined.isError, joined.text).toBe(false);
  }
  const say = async (body: string) => {
    const sent = await ada.call('send', { to: ['bob/tests'], body });
    expect(sent.isError, sent.text).toBe(false);
    return sent.text;
  };
  const inbox = async () => (await bob.call('inbox')).text;
  /** The boundary is passed again and again, as a turn does, until it carries something. */
  const carried = async (pass: () => Promise<{ context: string | undefined }>) => {
    let context: string | undefined;
    await until(async () => {
      context = (await pass()).context;
      return context !== undefined;
    });
    return context;
  };
  const one = /^Tandry: 1 unread message from ada\/api\./;
  const tool = () => bob.hook('PostToolUse', { tool_name: 'Bash' });

  await say('at a tool');
  expect(await carried(tool)).toMatch(one);
  expect((await tool()).context).toBeUndefined();
  expect(await inbox()).toMatch('at a tool');

  await say('at the end');
  expect(await carried(() => bob.stop())).toMatch(one);
  expect(await inbox()).toMatch('at the end');
  expect((await bob.stop(true)).context).toBeUndefined();

  await say('at the prompt');
  expect(await carried(() => bob.prompt())).toMatch(one);
  expect(await inbox()).toMatch('at the prompt');

  bob.useSkill('join');
  await bob.stop();
  await until(async () => /^- bob\/tests.* online/m.test((await ada.callServer('members')).text));
  expect(await say('while idle')).toMatch('bob/tests: online; told now');
  await until(() => bob.lines.length > 0);
  expect(bob.lines).toEqual([expect.stringMatching(one)]);
  expect(await inbox()).toMatch('while idle');
  expect(await inbox()).toMatch('The inbox is empty.');
  expect((await bob.stop()).context).toBeUndefined();
  expect((await ada.call('members')).text).not.toMatch('has not read');
});
