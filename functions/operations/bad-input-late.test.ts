// Input that is well formed and still wrong writes nothing; input that is odd and legal is kept.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintId } from '../../protocol/ids.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../protocol/operations/index.ts';
import { decodeReply, encodeRequest } from '../../protocol/wire.ts';
import { ignoredFields } from '../testing/bad-json.ts';
import { type StackHub, startStackHub } from '../testing/stack-hub.ts';

type Context = Parameters<typeof encodeRequest>[2];

// A failure says its input; making it smaller would take longer than a test may.
const runs = { numRuns: 25, endOnFailure: true };
const workspace = { repo: '', branch: '' };

let hub: StackHub;
/** The owner, a stranger, and two conversations of the owner in its room. */
let owner: Context;
let stranger: Context;
let ann: Context & { address: string };
let ben: Context & { address: string };
let room: string;
let code: string;
let serial = 0;

const newId = (prefix: 'r_' | 'm_') => {
  serial += 1;
  return mintId(prefix, Date.now(), new Uint8Array(10).fill(serial % 256));
};

async function call<Name extends OperationName>(
  operation: Name,
  context: Context,
  input: OperationRequest<Name>,
  extra = '',
): Promise<OperationResult<Name>> {
  const { headers, body } = encodeRequest(operation, input, context);
  const json = extra === '' ? body : `{${[body.slice(1, -1), extra].filter(Boolean).join()}}`;
  const { status, text } = await hub.post(operation, Object.entries(headers).flat(), json);
  return decodeReply(operation, status, text);
}

async function join(name: string) {
  const context = { ...owner, caller: { host: 'codex' as const, conversation: newId('m_') } };
  const { member } = await call('join', context, { code, intro: 'x', name, workspace });
  return { ...context, room, address: member };
}

beforeAll(async () => {
  hub = await startStackHub({
    envOverrides: { SEND_BUCKET_SIZE: '100000', MEMBERS_PER_ROOM: '1000' },
  });
  owner = { token: await hub.token('owner@example.test') };
  stranger = { token: await hub.token('stranger@example.test') };
  await call('claim_handle', owner, { handle: 'owner_of_it' });
  await call('claim_handle', stranger, { handle: 'stranger' });
  ({ id: room, code } = await call('new_room', owner, {
    id: newId('r_'),
    name: 'Room',
    description: '',
  }));
  ann = await join('ann');
  ben = await join('ben');
});
afterAll(() => hub.close());

describe('what is refused later than by its form', () => {
  test('leaves the table as it was', async () => {
    const elsewhere = await call('new_room', owner, {
      id: newId('r_'),
      name: 'x',
      description: '',
    });
    const message = { id: newId('m_'), to: [ben.address], body: 'x' };
    await call('send', ann, message);
    const dm = await call('send', ann, { ...message, id: newId('m_'), dm: true });
    const outsider = { ...stranger, caller: { host: 'codex' as const, conversation: 'c' }, room };
    const observer = { ...owner, room };
    const unknown = 'nobody_known/x';
    const again = { intro: 'x', workspace };
    const said = (change: object) => ({ ...message, id: newId('m_'), ...change });
    const refusals = [
      ['invalid_input', () => call('claim_handle', owner, { handle: 'another_one' })],
      ['invalid_input', () => call('claim_handle', owner, { handle: 'stranger' })],
      ['invalid_input', () => call('new_room', stranger, { id: room, name: 'x', description: '' })],
      ['forbidden', () => call('update_room', stranger, { room, name: 'x' })],
      ['not_in_room', () => call('update_room', owner, { room: 'r_00000000', rotateCode: true })],
      ['forbidden', () => call('delete_room', stranger, { room })],
      ['not_in_room', () => call('delete_room', owner, { room: 'r_00000000' })],
      ['already_in_room', () => call('join', ann, { ...again, code: elsewhere.code })],
      ['already_in_room', () => call('join', ann, { ...again, code, as: 'ben' })],
      ['no_such_member', () => call('join', outsider, { ...again, code, as: 'ann' })],
      ['invalid_input', () => call('join', ann, { ...again, room })],
      ['forbidden', () => call('leave', { ...stranger, room }, { member: ben.address })],
      ['not_in_room', () => call('leave', outsider, {})],
      ['no_such_member', () => call('leave', ann, { member: unknown })],
      ['invalid_input', () => call('leave', observer, {})],
      ['name_taken', () => call('rename', ann, { name: 'ben' })],
      ['no_such_member', () => call('rename', ann, { member: unknown, name: 'x' })],
      ['invalid_input', () => call('rename', observer, { name: 'x' })],
      ['forbidden', () => call('members', { ...stranger, room }, {})],
      ['no_such_member', () => call('send', ann, said({ to: [ben.address, unknown] }))],
      ['no_such_message', () => call('send', ann, said({ replyTo: newId('m_') }))],
      ['limit_reached', () => call('send', ann, said({ body: 'x'.repeat(65_537) }))],
      ['limit_reached', () => call('send', ann, said({ body: '😀'.repeat(16_385) }))],
      ['invalid_input', () => call('send', ann, said({ to: [], dm: true }))],
      ['invalid_input', () => call('send', ann, said({ to: '@room', dm: true }))],
      ['invalid_input', () => call('send', ben, said({ to: '@room', replyTo: dm.id }))],
      ['invalid_input', () => call('send', ann, { ...message, body: 'y' })],
      ['invalid_input', () => call('send', ben, message)],
      ['not_in_room', () => call('send', outsider, said({}))],
      ['not_in_room', () => call('inbox', outsider, {})],
      ['not_in_room', () => call('read', outsider, { upTo: 1 })],
      ['forbidden', () => call('history', { ...stranger, room }, {})],
      ['not_in_room', () => call('history', { ...owner, room: 'r_00000000' }, {})],
      ['no_such_message', () => call('delete_message', ann, { id: newId('m_') })],
      ['not_in_room', () => call('delete_message', outsider, { id: message.id })],
    ] as const;
    const before = await hub.items();
    const answers = [];
    for (const [, attempt] of refusals) {
      answers.push(await attempt().then(String, (error: unknown) => Object(error).code));
    }
    expect(answers).toEqual(refusals.map(([expected]) => expected));
    expect(await hub.items()).toEqual(before);
  });

  test('a wrong code counts as an attempt and writes nothing else', async () => {
    const context = { ...stranger, caller: { host: 'codex' as const, conversation: 'c' } };
    const before = new Set(await hub.items());
    const attempt = call('join', context, { code: '----2222', intro: 'x', workspace });
    await expect(attempt).rejects.toMatchObject({ code: 'no_such_room' });
    const written = (await hub.items()).filter((item) => !before.has(item));
    expect(written).toEqual([expect.stringMatching(/^ACCOUNT#\S+ ATTEMPTS /)]);
  });
});

describe('unknown fields', () => {
  test.each(Object.entries(ignoredFields))('such as %s change nothing', async (_name, fields) => {
    const message = { id: newId('m_'), to: [ben.address], body: 'x' };
    const made = { id: newId('r_'), name: 'x', description: '' };
    await call('new_room', owner, made, fields);
    await call('update_room', owner, { room: made.id, name: 'y' }, fields);
    await call('delete_room', owner, { room: made.id }, fields);
    const dan = await join('dan');
    const { seq } = await call('send', ann, message, fields);
    expect((await call('send', ann, message)).seq).toBe(seq);
    const batch = await call('inbox', ben, {}, fields);
    expect(batch.upTo).toBe(seq);
    expect(await call('read', ben, { upTo: seq }, fields)).toEqual({ readSeq: seq });
    const { messages } = await call('history', ben, {}, fields);
    expect(messages.at(-1)).toEqual(batch.messages.at(-1));
    await call('rename', dan, { name: 'daniel' }, fields);
    expect((await call('members', dan, {}, fields)).members.length).toBeGreaterThan(2);
    await call('delete_message', ann, { id: message.id }, fields);
    await call('leave', dan, {}, fields);
    const { rooms } = await call('status', owner, {}, fields);
    expect(rooms.map(({ id }) => id)).toContain(room);
    expect(await call('claim_handle', owner, { handle: 'owner_of_it' }, fields)).toBeDefined();
  });
});

/** Any text with a UTF-8 form: controls, NUL, bidi marks, emoji, unassigned code points. */
const anyText = (maxLength: number) => fc.string({ unit: 'binary', minLength: 1, maxLength });
/** What a store that tidies up would change, as short as it is. */
const oddities = [' ', '\n x \r\n', 'e\u0301', '\ufeffx\u0000', '\u212b', '\u202E', 'constructor'];
/** As it comes back from where white space around it is not kept. */
const isTrimmed = (text: string) => text === text.trim();
const isNameLike = (text: string) => isTrimmed(text) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

describe('legal text comes back byte for byte', () => {
  test('as a body and its meta', async () => {
    const key = anyText(64).filter((text) => text !== '__proto__');
    const meta = fc.dictionary(key, fc.string({ unit: 'binary', maxLength: 256 }), { maxKeys: 8 });
    await fc.assert(
      fc.asyncProperty(anyText(2_000), meta, async (body, hints) => {
        await call('send', ann, { id: newId('m_'), to: [ben.address], body, meta: hints });
        const { messages } = await call('history', ben, {});
        expect(messages.at(-1)?.body).toBe(body);
        expect({ ...messages.at(-1)?.meta }).toEqual({ ...hints });
      }),
      { ...runs, examples: oddities.map((text) => [text, { [text]: text }]) },
    );
  });

  test('as a room’s name and description', async () => {
    const name = anyText(80).filter(isNameLike);
    const description = anyText(500).filter(isTrimmed);
    await fc.assert(
      fc.asyncProperty(name, description, async (...[shown, told]) => {
        const updated = await call('update_room', owner, { room, name: shown, description: told });
        expect([updated.name, updated.description]).toEqual([shown, told]);
        const { rooms } = await call('status', owner, {});
        const listed = rooms.find(({ id }) => id === room);
        expect([listed?.name, listed?.description]).toEqual([shown, told]);
      }),
      runs,
    );
  });

  test('as an intro and a workspace', async () => {
    const intro = anyText(1_000).filter(isTrimmed);
    const field = anyText(200).filter(isNameLike);
    await join('eve');
    await fc.assert(
      fc.asyncProperty(intro, field, field, async (about, repo, branch) => {
        const caller = { host: 'codex' as const, conversation: newId('m_') };
        const there = { repo, branch };
        const input = { code, intro: about, workspace: there, as: 'eve' };
        const { members } = await call('join', { ...owner, caller }, input);
        const me = members.find((member) => member.me);
        expect([me?.intro, me?.workspace]).toEqual([about, there]);
      }),
      runs,
    );
  });
});
