// Structured content: whole results, nothing that agents are not shown, and the words that a host
// which shows no text would leave out.
import { describe, expect, test } from 'vitest';
import { sampleMessages, sampleResults } from './fixtures/samples.ts';
import { schemasOf } from './operations/index.ts';
import { foreignFieldsRule, remoteContent, remoteOutput } from './remote-content.ts';
import { isToolName, type OperationTool, tools } from './tools.ts';

const names = Object.keys(tools)
  .filter(isToolName)
  .filter((name): name is OperationTool => name !== 'login');
const content = (name: OperationTool) => remoteContent(name, sampleResults[name], 'r_1.c_1');

test.each(names)('%s carries the whole result, as its schema says', (name) => {
  const result = schemasOf[name].output.parse(sampleResults[name]);
  expect(schemasOf[name].output.parse(content(name))).toEqual(dropMeta(result));
  expect(remoteOutput(name).strict().parse(content(name))).toEqual(content(name));
});

test('what names members or quotes them says whose words these are', () => {
  const noted = names.filter((name) => content(name)['note'] === foreignFieldsRule);
  expect(noted.toSorted()).toEqual(['history', 'inbox', 'join', 'members']);
});

test('join alone gives the handle, before all else', () => {
  const given = names.filter((name) => 'conversation' in content(name));
  expect(given).toEqual(['join']);
  expect(Object.keys(content('join'))[0]).toBe('conversation');
});

describe('routing hints', () => {
  test('reach no agent', () => {
    expect(sampleMessages.some(({ meta }) => meta !== undefined)).toBe(true);
    const messages = [...sampleMessages];
    const shown = [
      remoteContent('inbox', { messages, upTo: 1, remaining: null }, ''),
      remoteContent('history', { messages, nextBefore: null }, ''),
      remoteContent('join', { ...sampleResults.join, history: messages }, ''),
    ];
    expect(JSON.stringify(shown)).not.toMatch('"meta"');
    expect(JSON.stringify(shown)).toContain(JSON.stringify(messages[0]?.body));
  });
});

function dropMeta(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item) => (key === 'meta' ? undefined : item)));
}
