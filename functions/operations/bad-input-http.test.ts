// Bad bytes and headers, as they come over a socket: refused with a code, never a fault of the Hub.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintId } from '../../protocol/ids.ts';
import { type RawHeaders, type StackHub, startStackHub } from '../testing/stack-hub.ts';

const mebibyte = 1_024 * 1_024;

let hub: StackHub;
let room: string;
let token: string;
let authorization: string[];
const json = ['content-type', 'application/json'];
const caller = ['tandry-host', 'codex', 'tandry-conversation', 'one'];

beforeAll(async () => {
  hub = await startStackHub();
  token = await hub.token('bytes@example.test');
  authorization = ['authorization', `Bearer ${token}`];
  room = mintId('r_', Date.now(), new Uint8Array(10).fill(7));
  await hub.post('claim_handle', [...authorization, ...json], '{"handle":"bytes"}');
  const made = JSON.stringify({ id: room, name: 'Room', description: '' });
  const { result } = await hub.post('new_room', [...authorization, ...json], made);
  const { code } = Object(result);
  const join = { code, intro: 'x', workspace: { repo: '', branch: '' } };
  const joined = await hub.post('join', member(), JSON.stringify(join));
  expect(joined.code).toBe('ok');
});
afterAll(() => hub.close());

const member = (): string[] => [...authorization, ...json, ...caller, 'tandry-room', room];
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  );

/** Answers by status and code; the table has to be as it was. */
async function answersOf(
  requests: readonly (readonly [string, RawHeaders, string | Uint8Array])[],
) {
  const before = await hub.items();
  const answers: string[] = [];
  for (const [operation, headers, body] of requests) {
    const { status, code } = await hub.post(operation, headers, body);
    answers.push(`${status} ${code}`);
  }
  expect(await hub.items()).toEqual(before);
  return answers;
}

describe('a body', () => {
  test('that is no UTF-8, or no JSON after all, is refused', async () => {
    const octets = [...authorization, 'content-type', 'application/octet-stream'];
    const text = JSON.stringify({ id: 'x' });
    const bodies = [
      bytes('{"a":"', [0xff], '"}'),
      bytes('{"a":"', [0xc0, 0xaf], '"}'),
      bytes('{"a":"', [0xed, 0xa0, 0x80], '"}'),
      bytes('{"a":"', [0xf4, 0x90, 0x80, 0x80], '"}'),
      bytes('{"a":"x', [0xe2, 0x82]),
      Buffer.from(text, 'utf16le'),
      gzipSync(text),
      new Uint8Array(1_000),
    ];
    const requests = bodies.map((body) => ['status', octets, body] as const);
    expect(new Set(await answersOf(requests))).toEqual(new Set(['400 invalid_input']));
  });

  test('that is called text and is no UTF-8 arrives as the gateway could read it', async () => {
    const id = mintId('m_', Date.now(), new Uint8Array(10).fill(8));
    const sent = bytes(`{"id":"${id}","to":[],"body":"a`, [0xff], 'b"}');
    expect((await hub.post('send', member(), sent)).code).toBe('ok');
    const { text } = await hub.post('history', member(), '{}');
    expect(text).toContain('"body":"a\ufffdb"');
  });

  test('that is over 256 KiB is refused, by the Hub or by the gateway before it', async () => {
    const padded = (size: number) => `{"a":"${'x'.repeat(size)}"}`;
    const requests = [300 * 1_024, mebibyte, 4 * mebibyte].flatMap((size) =>
      ['status', 'send', 'join'].map((name) => [name, member(), padded(size)] as const),
    );
    expect(new Set(await answersOf(requests))).toEqual(new Set(['400 invalid_input']));
    const huge = ['status', member(), padded(11 * mebibyte)] as const;
    expect(await answersOf([huge])).toEqual(['413 undefined']);
  });

  test('is JSON whatever its type says', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'image/png', 'x', ''];
    const headers = types.map((type) => [...authorization, 'content-type', type]);
    const requests = [...headers, authorization].map(
      (each) => ['status', each, '{"a":"é😀"}'] as const,
    );
    expect(new Set(await answersOf(requests))).toEqual(new Set(['200 ok']));
  });
});

describe('headers', () => {
  test('that stand twice are not guessed at', async () => {
    const requests: [string, string[], string][] = [
      ['status', [...authorization, ...authorization, ...json], '{}'],
      ['status', [...authorization, 'authorization', 'Bearer x', ...json], '{}'],
      ['members', [...member(), 'tandry-room', room], '{}'],
      ['members', [...member(), 'tandry-room', 'r_00000000'], '{}'],
      ['members', [...member(), 'tandry-host', 'codex'], '{}'],
      ['members', [...member(), 'tandry-conversation', 'one'], '{}'],
      ['status', [...authorization, 'tandry-protocol', '1', 'tandry-protocol', '1'], '{}'],
    ];
    expect(await answersOf(requests)).toEqual([
      '401 not_logged_in',
      '401 not_logged_in',
      '400 invalid_input',
      '400 invalid_input',
      '400 invalid_input',
      '409 not_in_room',
      '400 invalid_input',
    ]);
  });

  test('with hostile values are refused', async () => {
    const values: [string, string, string][] = [
      ['tandry-room', '__proto__', '400 invalid_input'],
      ['tandry-room', `r_${'0'.repeat(8_000)}`, '400 invalid_input'],
      ['tandry-room', 'r_00000000#x', '400 invalid_input'],
      ['tandry-host', '__proto__', '400 invalid_input'],
      ['tandry-host', 'hasOwnProperty', '400 invalid_input'],
      ['tandry-conversation', 'é', '400 invalid_input'],
      ['tandry-conversation', 'a\tb', '400 invalid_input'],
      ['tandry-conversation', 'x'.repeat(8_000), '400 invalid_input'],
      ['tandry-conversation', 'one#two', '409 not_in_room'],
      ['tandry-protocol', '1e999', '400 invalid_input'],
      ['tandry-protocol', '-0', '400 invalid_input'],
      ['tandry-protocol', ' 1', '200 ok'],
      ['tandry-protocol', '١', '400 invalid_input'],
      ['authorization', 'Bearer \u00e9', '401 not_logged_in'],
      ['authorization', `Bearer ${'x'.repeat(8_000)}`, '401 not_logged_in'],
      ['authorization', `Bearer ${'x.'.repeat(2)}x`, '401 not_logged_in'],
      ['authorization', 'Bearer __proto__', '401 not_logged_in'],
      ['tandry-room', `r_${'0'.repeat(20_000)}`, '431 undefined'],
    ];
    const requests = values.map(([name, value]) => {
      const at = member().indexOf(name);
      const others = at < 0 ? member() : member().toSpliced(at, 2);
      const encoded = Buffer.from(value).toString('latin1');
      return ['members', [...others, name, encoded], '{}'] as const;
    });
    expect(await answersOf(requests)).toEqual(values.map(([, , answer]) => answer));
  });

  test('of credentials that were tampered with are not_logged_in', async () => {
    const [head = '', claims = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const decoded: object = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const forged = [
      `${head}.${encode({ ...decoded, sub: 'somebody-else' })}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}.${signature}`,
      `${encode({ alg: 'RS256', kid: '../../x' })}.${claims}.${signature}`,
      `${head}.${claims}.${signature.slice(0, -4)}AAAA`,
      `${head}.${claims}`,
      `..${signature}`,
      '{}.{}.{}',
    ];
    const requests = forged.map(
      (bearer) => ['status', ['authorization', `Bearer ${bearer}`, ...json], '{}'] as const,
    );
    expect(new Set(await answersOf(requests))).toEqual(new Set(['401 not_logged_in']));
  });
});
