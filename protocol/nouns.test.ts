import { expect, test } from 'vitest';
import { HostKind, hostKinds, tierOf } from './nouns.ts';

test('push hosts are those whose plugin holds a link; all others are pull', () => {
  const push = hostKinds.filter((host) => tierOf[host] === 'push');
  const pull = hostKinds.filter((host) => tierOf[host] === 'pull');
  expect(push).toEqual(['claude', 'codex', 'grok', 'kimi', 'pi', 'opencode', 'dsh']);
  expect(pull).toEqual(['claude-web', 'chatgpt-web', 'web', 'website']);
  expect(Object.keys(tierOf)).toEqual([...hostKinds]);
});

test('a host kind is one of the list', () => {
  expect(HostKind.safeParse('emacs').success).toBe(false);
  expect(HostKind.safeParse('toString').success).toBe(false);
});
