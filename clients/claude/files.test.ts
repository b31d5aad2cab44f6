// Names of the files by which processes find each other, on every system.
import { win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudePid, conversationFiles, processFiles } from './files.ts';

describe('on Windows', () => {
  const home = 'C:\\Users\\Ada Lovelace\\.tandry';

  test('files lie below the home folder', () => {
    expect(processFiles(home, 4711, win32.join)).toEqual({
      session: `${home}\\session\\claude\\4711`,
      lease: `${home}\\monitor\\claude\\4711`,
    });
    const { turn } = conversationFiles(home, '0a1b2c3d-4e5f', win32.join);
    expect(turn).toBe(`${home}\\turn\\claude\\0a1b2c3d-4e5f`);
  });

  test.each(['..\\..\\x', 'C:\\x', '\\\\server\\share', 'a:b', 'a/b', 'a|b', 'a?b', '..'])(
    'the conversation %s names a file that may be there, and nowhere else',
    (conversation) => {
      const { turn } = conversationFiles(home, conversation, win32.join);
      expect(win32.dirname(turn)).toBe(`${home}\\turn\\claude`);
      expect(win32.basename(turn)).not.toMatch(/[<>:"/\\|?]/);
    },
  );
});

describe('the process ID of Claude Code', () => {
  test('is what it says', () => expect(claudePid({ CLAUDE_PID: '4711' })).toBe(4711));

  test.each([undefined, '', '0', '-1', '1e3', 'x', '../1'])('is not %j', (text) => {
    expect(claudePid({ CLAUDE_PID: text })).toBe(process.ppid);
  });
});
