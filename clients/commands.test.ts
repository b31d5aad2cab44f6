// The commands of all hosts: what they ask for exists, and they ask for it in every host alike.
import { expect, test } from 'vitest';
import { isToolName } from '../protocol/tools.ts';
import { commands } from './commands.ts';

test('these are the commands', () => {
  expect(commands.map(({ name }) => name)).toEqual([
    'join',
    'new-room',
    'leave',
    'members',
    'status',
  ]);
});

test.each(commands)('$name names tools that exist', ({ body }) => {
  const named = Array.from(body('x').matchAll(/`([a-z_]+)` tool/g), ([, tool = '']) => tool);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((tool) => !isToolName(tool))).toEqual([]);
});

test.each(commands)('$name takes what was typed where it says so', ({ argumentHint, body }) => {
  expect(body('WHAT WAS TYPED').includes('WHAT WAS TYPED')).toBe(argumentHint !== '');
});

test.each(commands)('$name is described in one line, and ends its own', ({ description, body }) => {
  expect(description).toMatch(/^[\x20-\x7e]{20,500}$/);
  expect(body('x')).toMatch(/[^\n]\n$/);
});
