import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleIntro, sampleNowMs } from '../fixtures/samples.ts';
import type { MessageView } from '../nouns.ts';
import { hostile, unsafe } from '../testing/hostile.ts';
import { element, envelope, mintNonce } from './envelope.ts';

const nonces = fc.uint8Array({ minLength: 6, maxLength: 6 }).map(mintNonce);

describe('a nonce', () => {
  test('is its six bytes', () => {
    expect(mintNonce(new Uint8Array([0, 1, 0xab, 0xff, 0x10, 7, 99]))).toBe('0001abff1007');
    expect(() => mintNonce(new Uint8Array(5))).toThrow(RangeError);
  });
});

describe('an element', () => {
  test('is closed by nothing in its content, which stays as it is', () => {
    fc.assert(
      fc.property(nonces, hostile, (nonce, content) => {
        fc.pre(!content.includes(nonce));
        const text = element(nonce, [['message', 'm_12345678']], content);
        expect(text.split(`tandry-${nonce}`)).toHaveLength(3);
        expect(text).toBe(`<tandry-${nonce} message="m_12345678">\n${content}\n</tandry-${nonce}>`);
      }),
    );
  });

  test('has the attributes it was given and no others, on one line', () => {
    fc.assert(
      fc.property(nonces, hostile, hostile, (nonce, from, to) => {
        const written = element(
          nonce,
          [
            ['from', from],
            ['to', to],
          ],
          '',
        );
        const [tag = ''] = written.split('\n', 1);
        expect(tag).toMatch(new RegExp(`^<tandry-${nonce} from="[^"<>]*" to="[^"<>]*">$`));
        expect(tag).not.toMatch(unsafe);
        expect(written).toBe(`${tag}\n\n</tandry-${nonce}>`);
      }),
    );
  });

  test('escapes what means something in a tag', () => {
    expect(element('0', [['from', 'a"><b&c']], '')).toMatch('from="a&quot;&gt;&lt;b&amp;c"');
  });
});

describe('an envelope', () => {
  const attributes = (message: MessageView) =>
    Array.from(
      envelope(message, '0')
        .split('\n', 1)
        .join('')
        .matchAll(/ ([\w-]+)="([^"]*)"/g),
      (found) => found.slice(1, 3).join('='),
    );

  test('names its headers in the order of the protocol', () => {
    const everything: MessageView = {
      ...sampleIntro,
      id: 'm_12345678',
      replyTo: 'm_87654321',
      to: ['alice/a', 'bob/b'],
      createdAt: sampleNowMs,
      deletedAt: sampleNowMs,
    };
    expect(attributes(everything)).toEqual([
      'message=m_12345678',
      'visibility=room',
      'kind=intro',
      'from=bob/tests',
      'owner=bob',
      'host=Codex',
      'to=alice/a bob/b',
      'reply-to=m_87654321',
      'sent=2026-11-30T14:11:00Z',
      'deleted=true',
    ]);
  });

  test('leaves out what does not apply, and shows no meta', () => {
    const plain: MessageView = { ...sampleIntro, kind: 'text', meta: { secret: 'hint' } };
    expect(attributes(plain).map((attribute) => attribute.split('=')[0])).toEqual(
      'message visibility from owner host to sent'.split(' '),
    );
    expect(envelope(plain, '0')).not.toMatch('hint');
  });

  test('prints @room instead of everyone in it', () => {
    const toAll = { ...sampleIntro, to: ['alice/a', 'bob/b'], toRoom: true };
    expect(attributes(toAll)).toContain('to=@room');
  });

  test('says that a person wrote it, when it comes from the website', () => {
    expect(attributes({ ...sampleIntro, fromHost: 'website' })).toContain(
      'host=Tandry website (a person)',
    );
  });
});
