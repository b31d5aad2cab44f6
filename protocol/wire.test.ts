import { describe, expect, test } from 'vitest';
import { HubError } from './errors.ts';
import { sampleContext, sampleRequests, sampleResults, sampleToken } from './fixtures/samples.ts';
import { limits } from './limits.ts';
import {
  decodeHeaders,
  decodeReply,
  decodeRequest,
  encodeHeaders,
  encodeRequest,
  failure,
  type HeaderRecord,
  success,
} from './wire.ts';

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof HubError) return error.code;
    throw error;
  }
  return 'none';
}

describe('headers', () => {
  test('a client writes what the Hub reads', () => {
    expect(decodeHeaders(encodeHeaders(sampleContext))).toEqual({
      protocol: 1,
      room: sampleContext.room,
      caller: sampleContext.caller,
      bearer: sampleToken,
    });
  });

  test('all may be absent', () => {
    expect(decodeHeaders({})).toEqual({ protocol: 1 });
    expect(decodeHeaders(encodeHeaders({}))).toEqual({ protocol: 1 });
  });

  test.each<[string, number]>([
    ['1', 1],
    ['2', 1],
    ['99999999999999999999', 1],
  ])('protocol %s is served as %d', (value, protocol) => {
    expect(decodeHeaders({ 'tandry-protocol': value }).protocol).toBe(protocol);
  });

  test.each<[string, string]>([
    ['0', 'upgrade_required'],
    ['-1', 'invalid_input'],
    ['1.0', 'invalid_input'],
    ['1e3', 'invalid_input'],
    ['', 'invalid_input'],
    ['one', 'invalid_input'],
    ['1, 1', 'invalid_input'],
  ])('protocol %j is %s', (value, code) => {
    expect(codeOf(() => decodeHeaders({ 'tandry-protocol': value }))).toBe(code);
  });

  test.each<[string, HeaderRecord]>([
    ['a host without its conversation', { 'tandry-host': 'codex' }],
    ['a conversation without its host', { 'tandry-conversation': 'c1' }],
    ['an unknown host', { 'tandry-host': 'emacs', 'tandry-conversation': 'c1' }],
    ['a name of Object as host', { 'tandry-host': 'constructor', 'tandry-conversation': 'c1' }],
    ['an empty conversation', { 'tandry-host': 'codex', 'tandry-conversation': '' }],
    ['a conversation with a space', { 'tandry-host': 'codex', 'tandry-conversation': 'a b' }],
    ['a room that is no ID', { 'tandry-room': 'lobby' }],
  ])('%s is invalid', (_what, headers) => {
    expect(codeOf(() => decodeHeaders(headers))).toBe('invalid_input');
  });

  test.each<[string, string | undefined]>([
    ['Bearer abc.DEF-1_2~3+/=', 'abc.DEF-1_2~3+/='],
    ['bearer abc', 'abc'],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['', undefined],
  ])('authorization %j carries the token %j', (authorization, bearer) => {
    expect(decodeHeaders({ authorization }).bearer).toBe(bearer);
  });
});

describe('a request', () => {
  test('is read as it was written', () => {
    const { path, headers, body } = encodeRequest('send', sampleRequests.send, sampleContext);
    expect(path).toBe('/v1/send');
    expect(decodeRequest('send', headers, body)).toEqual({
      operation: 'send',
      headers: decodeHeaders(headers),
      input: sampleRequests.send,
    });
  });

  test('is checked in order: headers, JSON, protocol version, operation', () => {
    const old = { 'tandry-protocol': '0' };
    const bad = { ...old, 'tandry-room': 'lobby' };
    const message = (call: () => unknown) => {
      try {
        return String(call());
      } catch (error) {
        return error instanceof HubError ? `${error.code}: ${error.message}` : String(error);
      }
    };
    expect(message(() => decodeRequest('nope', bad, '{'))).toMatch('invalid_input: the header');
    expect(message(() => decodeRequest('nope', old, '{'))).toMatch('invalid_input: the request');
    expect(message(() => decodeRequest('nope', old, '{}'))).toMatch('upgrade_required');
    expect(message(() => decodeRequest('nope', {}, '{}'))).toMatch('invalid_input: unknown');
  });

  test.each(['', '{', '{} x', 'undefined'])('%j is not JSON', (body) => {
    expect(codeOf(() => decodeRequest('status', {}, body))).toBe('invalid_input');
  });

  test('has at most 256 KiB, counted in bytes', () => {
    const frame = JSON.stringify({ body: '' });
    const fill = (character: string, size: number) =>
      JSON.stringify({ body: character.repeat(size) });
    const room = limits.requestBytes - frame.length;
    expect(codeOf(() => decodeRequest('send', {}, fill('x', room)))).toBe('none');
    expect(codeOf(() => decodeRequest('send', {}, fill('x', room + 1)))).toBe('invalid_input');
    expect(codeOf(() => decodeRequest('send', {}, fill('é', room / 2 + 1)))).toBe('invalid_input');
  });

  test.each(['toString', '__proto__', 'constructor', 'Status', ''])(
    'of the operation %j is invalid',
    (name) => {
      expect(codeOf(() => decodeRequest(name, {}, '{}'))).toBe('invalid_input');
    },
  );
});

describe('a reply', () => {
  test('gives the result of its operation', () => {
    const body = JSON.stringify(success(sampleResults.inbox));
    expect(decodeReply('inbox', 200, body)).toEqual(sampleResults.inbox);
  });

  test('may have fields of later versions', () => {
    const body = JSON.stringify(success({ readSeq: 3, later: true }));
    expect(decodeReply('read', 200, body)).toEqual({ readSeq: 3 });
  });

  test('throws the refusal with its details', () => {
    const refused = new HubError('rate_limited', 'too fast', { retryAfterSeconds: 3 });
    const body = JSON.stringify(failure(refused));
    expect(() => decodeReply('send', 429, body)).toThrow(refused);
    expect(codeOf(() => decodeReply('send', 429, body))).toBe('rate_limited');
  });

  test('leaves out details that there are none of', () => {
    expect(failure(new HubError('forbidden', 'no'))).toEqual({
      ok: false,
      error: { code: 'forbidden', message: 'no' },
    });
  });

  test.each([
    ['nothing', ''],
    ['a page of some proxy', '<html>502</html>'],
    ['no envelope', '{"readSeq":3}'],
    ['a result of another shape', '{"ok":true,"result":{"readSeq":"3"}}'],
    ['no result', '{"ok":true}'],
    ['a refusal with an unknown code', '{"ok":false,"error":{"code":"teapot","message":"x"}}'],
    ['a refusal without a text', '{"ok":false,"error":{"code":"forbidden"}}'],
    ["API Gateway's own error", '{"message":"Service Unavailable"}'],
  ])('that is %s is unavailable', (_what, body) => {
    expect(codeOf(() => decodeReply('read', 200, body))).toBe('unavailable');
  });
});
