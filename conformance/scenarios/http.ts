// Scenarios of the HTTP binding itself: envelopes, sizes, versions, credentials, headers.
import assert from 'node:assert/strict';
import * as z from 'zod';
import type { ErrorCode } from '../../protocol/errors.ts';
import { encodeHeaders, requestLimitBytes } from '../../protocol/wire.ts';
import { readAnswer } from '../http-client.ts';
import { refused } from '../refused.ts';
import { overHttp, type Scenario } from '../scenario.ts';
import type { HttpWorld } from '../world.ts';

const Health = z.strictObject({ ok: z.literal(true), now: z.int() });
const year2020Ms = 1_577_836_800_000;

async function headersOf({ alice }: HttpWorld): Promise<Record<string, string>> {
  return encodeHeaders({ token: await alice.token() });
}

/** Posts status of an account with other headers or another body; gives what `readAnswer` gives. */
async function postStatus(
  world: HttpWorld,
  change: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
) {
  const { headers = {}, body = '{}' } = change;
  const request = {
    path: '/v1/status',
    headers: { ...(await headersOf(world)), ...headers },
    body,
  };
  return readAnswer('status', await world.http(request));
}

export const httpScenarios: readonly Scenario<HttpWorld>[] = [
  {
    title: 'a success is 200 with the envelope and is never stored on the way',
    cites: ['http.path', 'http.success', 'http.no-store', 'http.website-token'],
    bindings: overHttp,
    async play(world) {
      const { http } = world;
      const answer = await http({
        path: '/v1/status',
        headers: await headersOf(world),
        body: '{}',
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.deepEqual(Object.keys(z.looseObject({}).parse(JSON.parse(answer.text))), [
        'ok',
        'result',
      ]);
      assert.equal(readAnswer('status', answer).account.id, world.alice.id);
    },
  },
  {
    title: 'a refusal is an envelope with the status of its code and is never stored on the way',
    cites: ['http.failure', 'http.no-store'],
    bindings: overHttp,
    async play({ http }) {
      const Refusal = z.strictObject({
        ok: z.literal(false),
        error: z.strictObject({ code: z.literal('not_logged_in'), message: z.string().min(1) }),
      });
      const answer = await http({ path: '/v1/status', body: '{}' });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      Refusal.parse(JSON.parse(answer.text));
    },
  },
  {
    title: 'health answers anyone with the time',
    cites: ['http.health', 'http.no-store'],
    bindings: overHttp,
    async play({ http }) {
      const answer = await http({ method: 'GET', path: '/health' });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.ok(Health.parse(JSON.parse(answer.text)).now > year2020Ms);
    },
  },
  {
    title: 'a body that is not JSON is refused',
    cites: ['http.json'],
    bindings: overHttp,
    async play(world) {
      for (const body of ['', ' ', '{', '{} {}', "{'a':1}", 'undefined', '{"a":01}', '\u0000{}']) {
        await refused('invalid_input', postStatus(world, { body }));
      }
    },
  },
  {
    title: 'a body that is JSON but no object is refused',
    cites: ['http.object'],
    bindings: overHttp,
    async play(world) {
      for (const body of ['null', '[]', '[{}]', '"{}"', '0', 'true']) {
        await refused('invalid_input', postStatus(world, { body }));
      }
    },
  },
  {
    title: 'an operation that does not exist is refused',
    cites: ['http.operation'],
    bindings: overHttp,
    async play(world) {
      const { http } = world;
      const headers = await headersOf(world);
      const names = ['nothing', 'Status', 'status%20', 'new-room', '__proto__', 'constructor'];
      for (const name of [...names, 'toString', 'search', 'export_account', '%F0%9F%98%80']) {
        const answer = await http({ path: `/v1/${name}`, headers, body: '{}' });
        assert.throws(() => readAnswer('status', answer), { code: 'invalid_input' }, name);
      }
    },
  },
  {
    title: 'a request of 256 KiB is served and one byte more is refused',
    cites: ['http.size', 'accept.unknown-fields'],
    bindings: overHttp,
    async play(world) {
      const padded = (bytes: number, character: string) => {
        const frame = JSON.stringify({ padding: '' });
        const size = Buffer.byteLength(character);
        return JSON.stringify({ padding: character.repeat((bytes - frame.length) / size) });
      };
      await postStatus(world, { body: padded(requestLimitBytes, 'x') });
      const tooLong = [padded(requestLimitBytes + 1, 'x'), padded(requestLimitBytes + 4, '😀')];
      for (const body of tooLong) await refused('invalid_input', postStatus(world, { body }));
    },
  },
  {
    title: 'an absent or newer protocol version is served as the current one',
    cites: ['http.protocol-absent', 'http.protocol-new'],
    bindings: overHttp,
    async play(world) {
      const { 'tandry-protocol': version, ...others } = await headersOf(world);
      assert.equal(version, '1');
      const answer = await world.http({ path: '/v1/status', headers: others, body: '{}' });
      assert.equal(readAnswer('status', answer).account.id, world.alice.id);
      for (const newer of ['2', '99', '99999999999999999999']) {
        await postStatus(world, { headers: { 'tandry-protocol': newer } });
      }
    },
  },
  {
    title: 'a protocol version that is none, or too old, is refused',
    cites: ['http.protocol-form', 'http.protocol-old'],
    bindings: overHttp,
    async play(world) {
      const post = (version: string) =>
        postStatus(world, { headers: { 'tandry-protocol': version } });
      for (const version of ['-1', '1.0', '1e0', 'one', '0x1', '']) {
        await refused('invalid_input', post(version));
      }
      await refused('upgrade_required', post('0'));
    },
  },
  {
    title: 'a credential that is missing, malformed or unknown is refused',
    cites: ['http.credential'],
    bindings: overHttp,
    async play(world) {
      const token = await world.alice.token();
      const { authorization: _, ...others } = await headersOf(world);
      const bare = await world.http({ path: '/v1/status', headers: others, body: '{}' });
      assert.throws(() => readAnswer('status', bare), { code: 'not_logged_in' });
      const [head, claims, signature] = token.split('.');
      const unsigned = signature === undefined ? `${token}x` : `${head}.${claims}.`;
      const alternatives = [
        '',
        'Bearer',
        `Basic ${token}`,
        token,
        'Bearer nobody',
        `Bearer ${unsigned}`,
      ];
      for (const authorization of [...alternatives, `Bearer ${token} ${token}`, 'Bearer a.b.c']) {
        await refused('not_logged_in', postStatus(world, { headers: { authorization } }));
      }
    },
  },
  {
    title: 'a calling conversation is named whole and by a known host, or not at all',
    cites: ['http.caller-pair', 'http.host-kind', 'ids.conversation'],
    bindings: overHttp,
    async play(world) {
      const cases: [Record<string, string>, ErrorCode | undefined][] = [
        [{ 'tandry-host': 'codex' }, 'invalid_input'],
        [{ 'tandry-conversation': 'one' }, 'invalid_input'],
        [{ 'tandry-host': 'emacs', 'tandry-conversation': 'one' }, 'invalid_input'],
        [{ 'tandry-host': 'Codex', 'tandry-conversation': 'one' }, 'invalid_input'],
        [{ 'tandry-host': 'constructor', 'tandry-conversation': 'one' }, 'invalid_input'],
        [{ 'tandry-host': 'codex', 'tandry-conversation': '' }, 'invalid_input'],
        [{ 'tandry-host': 'codex', 'tandry-conversation': 'a b' }, 'invalid_input'],
        [{ 'tandry-host': 'codex', 'tandry-conversation': 'é' }, 'invalid_input'],
        [{ 'tandry-host': 'codex', 'tandry-conversation': 'x'.repeat(201) }, 'invalid_input'],
        [{ 'tandry-host': 'codex', 'tandry-conversation': '~'.repeat(200) }, undefined],
        [{ 'tandry-host': 'website', 'tandry-conversation': 'site' }, undefined],
        [{ 'tandry-host': 'chatgpt-web', 'tandry-conversation': '!#/?{}' }, undefined],
      ];
      for (const [headers, code] of cases) {
        const attempt = postStatus(world, { headers });
        await (code === undefined ? attempt : refused(code, attempt));
      }
    },
  },
  {
    title: 'a room that is named by no room ID is refused',
    cites: ['http.room-header', 'ids.accepted'],
    bindings: overHttp,
    async play(world) {
      const malformed = [
        'lobby',
        'r_',
        'r_1234567',
        `r_${'1'.repeat(41)}`,
        'm_12345678',
        'R_12345678',
      ];
      for (const room of [...malformed, 'r_1234567Z', 'r_1234-678', '']) {
        await refused('invalid_input', postStatus(world, { headers: { 'tandry-room': room } }));
      }
      for (const room of ['r_12345678', `r_${'z'.repeat(40)}`]) {
        await refused('not_in_room', world.call('members', { account: world.alice, room }, {}));
      }
    },
  },
];
