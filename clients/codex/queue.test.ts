import { describe, expect, test } from 'vitest';
import { notice } from '../../protocol/render/notice.ts';
import { queueCommand, queueFailureReason } from './queue.ts';

const text = notice({ unread: 2, upTo: 2, from: ['alice/review', 'bob/hub'] });

test('the prompt is one argument, whatever it starts with', () => {
  expect(queueCommand('t1', '-x "y" $(z)', 'linux')).toEqual({
    file: 'codex',
    args: ['queue', '--thread=t1', '--message=-x "y" $(z)'],
    shell: false,
  });
});

describe('on Windows, where codex is a script of cmd.exe', () => {
  test('each argument is quoted', () => {
    expect(queueCommand('t1', text, 'win32')).toEqual({
      file: `codex "queue" "--thread=t1" "--message=${text}"`,
      args: [],
      shell: true,
    });
  });

  test.each(['a"b', '%PATH%', 'a!b!', 'a\nb', 'a\\'])('%j is refused', (prompt) => {
    expect(() => queueCommand('t1', prompt, 'win32')).toThrow('cannot be passed');
    expect(() => queueCommand(prompt, text, 'win32')).toThrow('cannot be passed');
  });
});

test.each([
  [{ code: 'ENOENT', stderr: '' }, /codex command is not on the PATH/],
  [{ code: null, killed: true, stderr: '' }, /longer than 30 s/],
  [{ code: 1, stderr: 'no rollout found for thread id 1' }, /not had its first turn/],
  [{ code: 2, stderr: 'secret /home/someone' }, /^codex queue ended with the exit code 2\.$/],
])('a failure is told in a sentence: %j', (failure, sentence) => {
  expect(queueFailureReason(failure)).toMatch(sentence);
});
