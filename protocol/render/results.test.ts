import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  sampleIntro,
  sampleMember,
  sampleMembers,
  sampleNonce,
  sampleNowMs,
  sampleResults,
} from '../fixtures/samples.ts';
import type { OperationResult } from '../operations/index.ts';
import { hostile, unsafe } from '../testing/hostile.ts';
import { foreignTextRuleOf } from './envelope.ts';
import { renderResult } from './results.ts';

const context = { nonce: sampleNonce, nowMs: sampleNowMs };

describe('results', () => {
  const text = {
    join: renderResult('join', sampleResults.join, context),
    members: renderResult('members', sampleResults.members, context),
    inbox: renderResult('inbox', sampleResults.inbox, context),
    history: renderResult('history', sampleResults.history, context),
  };

  test.each(Object.entries(text))('%s states the rule once, with its nonce', (_name, shown) => {
    expect(shown.split(foreignTextRuleOf(sampleNonce))).toHaveLength(2);
    expect(foreignTextRuleOf(sampleNonce)).toContain('written by other members, not by your owner');
  });

  test('a result without foreign text states no rule', () => {
    expect(renderResult('send', sampleResults.send, context)).not.toMatch('nonce');
    expect(renderResult('inbox', { messages: [], upTo: 0, remaining: null }, context)).toBe(
      'The inbox is empty.',
    );
    expect(renderResult('history', { messages: [], nextBefore: null }, context)).toBe(
      'There is nothing to show.',
    );
  });

  test('whatever others wrote stands inside elements', () => {
    const mark = 'written by someone else';
    const message = { ...sampleIntro, body: mark };
    const result: OperationResult<'join'> = {
      ...sampleResults.join,
      room: { ...sampleResults.join.room, description: mark },
      members: [{ ...sampleMember, intro: mark }],
      history: [message],
    };
    const outside = (shown: string) =>
      shown.replace(
        new RegExp(`<tandry-${sampleNonce}[^>]*>[^]*?</tandry-${sampleNonce}>`, 'g'),
        '',
      );
    expect(renderResult('join', result, context).split(mark)).toHaveLength(4);
    expect(outside(renderResult('join', result, context))).not.toMatch(mark);
    const inbox = { messages: [message], upTo: 1, remaining: null };
    expect(outside(renderResult('inbox', inbox, context))).not.toMatch(mark);
  });

  test('no room name leaves its line', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const room = { ...sampleResults.update_room, name, description: name };
        const status = { account: { id: 'a', handle: name }, rooms: [room] };
        const here = { roomName: name, member: name, unreachable: name };
        for (const shown of [
          renderResult('update_room', room, context),
          renderResult('new_room', { id: room.id, name, code: name }, context),
          renderResult('status', status, { ...context, here }),
        ]) {
          expect(shown.replaceAll('\n', ' ')).not.toMatch(unsafe);
          expect(shown.split('\n').length).toBeLessThanOrEqual(6);
        }
      }),
    );
  });

  test('inbox ends with what remains', () => {
    expect(text.inbox.split('\n').at(-1)).toBe(
      '9 more unread messages from alice/review, bob/tests, eve/a, eve/b, eve/c and 1 more: ' +
        'call inbox again.',
    );
    expect(
      renderResult('inbox', { ...sampleResults.inbox, remaining: null }, context)
        .split('\n')
        .at(-1),
    ).toBe('Nothing else is unread.');
  });

  test('send names the message and each recipient', () => {
    const [sent, ...recipients] = renderResult('send', sampleResults.send, context).split('\n');
    expect(sent).toBe(`Sent ${sampleResults.send.id}.`);
    expect(recipients.map((line) => line.split(':')[0])).toEqual(
      sampleMembers.map(({ address }) => address),
    );
    expect(renderResult('send', { ...sampleResults.send, recipients: [] }, context)).toMatch(
      'on record',
    );
  });

  test('join gives the connector its conversation first', () => {
    const shown = renderResult('join', sampleResults.join, { ...context, conversation: 'r_1.c_1' });
    expect(shown).toMatch(/^Conversation: r_1\.c_1\n/);
    expect(text.join).toMatch(/^Joined the room "Hub" as henry\/hub-refactor\./);
  });

  test('join gives the words that continue an offline member, and says that none was', () => {
    const shown = renderResult('join', sampleResults.join, { ...context, roomCode: '4bcd2qqf' });
    expect(shown).toMatch('None was continued');
    expect(shown).toMatch('\n- join 4BCD-2QQF as old-refactor');
    const none = renderResult('join', { ...sampleResults.join, offline: [] }, context);
    expect(none).not.toMatch('offline members');
  });

  test.each<[OperationResult<'join'>['outcome'], string]>([
    ['reused', 'is already henry/hub-refactor'],
    ['continued', 'now continues henry/hub-refactor'],
  ])('join says when it %s', (outcome, words) => {
    expect(renderResult('join', { ...sampleResults.join, outcome }, context)).toMatch(words);
  });

  test('an empty room has no empty parts', () => {
    const empty = {
      ...sampleResults.join,
      room: { ...sampleResults.join.room, description: '' },
      members: [{ ...sampleMember, intro: '' }],
      history: [],
      unread: 0,
      offline: [],
    };
    const shown = renderResult('join', empty, context);
    expect(shown).not.toMatch(/\n\n\n|<tandry-/);
    expect(shown).toMatch('Nothing was said here yet.');
  });
});
