import { describe, expect, test } from 'vitest';
import { type ErrorCode, HubError } from '../errors.ts';
import { sampleRequests } from '../fixtures/samples.ts';
import { limits } from '../limits.ts';
import { isOperationName, type OperationName, operations, parseInput } from './index.ts';

const room = 'r_12345678';
const message = 'm_12345678';
const workspace = { repo: 'hub', branch: 'main' };

const requests: Readonly<Record<OperationName, object>> = sampleRequests;
const names = Object.keys(operations).filter(isOperationName);

/** The message of the refusal; fails if there is none or it has another code. */
function refusal(name: OperationName, request: unknown): string {
  try {
    parseInput(name, request);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    expect(error.code).toBe('invalid_input');
    return error.message;
  }
  throw new Error(`${name} accepted ${JSON.stringify(request)?.slice(0, 200)}`);
}

/** The example request of an operation with other fields. */
const having = (name: OperationName, fields: object) => ({ ...requests[name], ...fields });

describe('the table', () => {
  test('names each operation as it names itself', () => {
    for (const name of names) expect(operations[name].name).toBe(name);
  });

  test('is exactly the operations of the protocol', () => {
    expect(names.toSorted()).toEqual(
      `claim_handle delete_message delete_room devices history inbox join leave login_start
      login_status logout members new_room read rename revoke_device send status update_room`.split(
        /\s+/,
      ),
    );
  });

  test('says who calls: by scope, and in a room as whom', () => {
    const callers = Object.fromEntries(
      names.map((name) => [
        name,
        [operations[name].scope, operations[name].caller ?? '-'].join(' '),
      ]),
    );
    expect(callers).toEqual({
      login_start: 'none -',
      login_status: 'none -',
      logout: 'account -',
      status: 'account -',
      devices: 'account -',
      revoke_device: 'account -',
      claim_handle: 'account -',
      new_room: 'account -',
      update_room: 'account -',
      delete_room: 'account -',
      join: 'account conversation',
      leave: 'room member_or_observer',
      rename: 'room member_or_observer',
      members: 'room member_or_observer',
      send: 'room member',
      inbox: 'room member',
      read: 'room member',
      history: 'room member_or_observer',
      delete_message: 'room member_or_observer',
    });
  });

  test('lists each error once, those of the scope among them', () => {
    for (const name of names) {
      const errors: readonly ErrorCode[] = operations[name].errors;
      expect(new Set(errors).size, name).toBe(errors.length);
      expect(errors.includes('invalid_input') && errors.includes('unavailable'), name).toBe(true);
      expect(errors.includes('not_in_room'), name).toBe(
        operations[name].scope === 'room' || ['join', 'update_room', 'delete_room'].includes(name),
      );
    }
  });

  test('knows no names of Object', () => {
    expect(isOperationName('toString')).toBe(false);
    expect(isOperationName('__proto__')).toBe(false);
  });
});

describe('every operation', () => {
  test.each(names)('%s: parsing what is parsed changes nothing', (name) => {
    const parsed = parseInput(name, requests[name]);
    expect(parseInput(name, parsed)).toEqual(parsed);
  });

  test.each(names)('%s ignores unknown fields', (name) => {
    const parsed = parseInput(name, having(name, { later: { version: 2 } }));
    expect(parsed).toEqual(parseInput(name, requests[name]));
  });

  test.each(names)('%s takes only a JSON object', (name) => {
    for (const request of [null, 7, 'x', [], [requests[name]]]) refusal(name, request);
  });

  test.each(names)('%s refuses a lone surrogate anywhere', (name) => {
    for (const fields of [{ later: [{ deep: '\ud800' }] }, { '\udfff': 1 }]) {
      expect(refusal(name, having(name, fields))).toMatch('lone surrogate');
    }
  });

  test.each(names)('%s takes null for each field that may be absent, and for no other', (name) => {
    for (const [field, schema] of Object.entries(operations[name].fields.shape)) {
      if (name === 'join' && field === 'code') continue;
      const withNull = having(name, { [field]: null });
      if (schema.safeParse(undefined).success) {
        expect(parseInput(name, withNull)).toEqual(
          parseInput(name, having(name, { [field]: undefined })),
        );
      } else {
        expect(refusal(name, withNull)).toMatch(new RegExp(`^${field}: `));
      }
    }
  });
});

const long = (characters: number) => 'x'.repeat(characters);
const bytes = (size: number) => 'x'.repeat(size);
const addresses = (amount: number) =>
  Array.from({ length: amount }, (_, index) => `alice/m${index}`);
const meta = (amount: number) => Object.fromEntries(addresses(amount).map((key) => [key, 'v']));

describe('limits', () => {
  test.each<[OperationName, object]>([
    ['new_room', { name: long(80), description: long(500) }],
    ['new_room', { name: '🙂'.repeat(80), description: '' }],
    ['new_room', { description: 'two\nlines' }],
    ['join', { intro: long(1_000) }],
    ['join', { workspace: { repo: long(200), branch: '' } }],
    ['join', { name: '重構' }],
    ['join', { as: 'hub-refactor' }],
    ['join', { as: 'henry/hub-refactor' }],
    ['join', { code: undefined, room }],
    ['leave', { member: 'hub-refactor' }],
    ['login_start', { label: long(100) }],
    ['claim_handle', { handle: 'abc' }],
    ['send', { to: [] }],
    ['send', { to: '@room' }],
    ['send', { to: addresses(50) }],
    ['send', { body: bytes(limits.bodyBytes + 1) }],
    ['send', { body: ' \n' }],
    ['send', { meta: meta(8) }],
    ['send', { meta: { [long(64)]: long(256) } }],
    ['send', { meta: { constructor: 'x', toString: 'y' } }],
    ['read', { upTo: 0 }],
    ['history', { before: 1, view: 'room' }],
  ])('%s accepts %j', (name, fields) => {
    parseInput(name, having(name, fields));
  });

  test.each<[OperationName, object, string]>([
    ['new_room', { name: long(81) }, 'name'],
    ['new_room', { name: '  ' }, 'name'],
    ['new_room', { name: 'a\u0007b' }, 'name'],
    ['new_room', { description: long(501) }, 'description'],
    ['new_room', { id: message }, 'id'],
    ['update_room', { name: 'a\nb' }, 'name'],
    ['join', { intro: long(1_001) }, 'intro'],
    ['join', { intro: ' \n ' }, 'intro'],
    ['join', { workspace: { repo: long(201), branch: '' } }, 'workspace.repo'],
    ['join', { workspace: { repo: '', branch: 'a\u001b[0m' } }, 'workspace.branch'],
    ['join', { name: 'a\u0000' }, 'name'],
    ['join', { code: 'abc' }, 'code'],
    ['join', { as: 'Hub Refactor' }, 'as'],
    ['leave', { member: '@room' }, 'member'],
    ['rename', { name: '!!!' }, 'name'],
    ['rename', { name: 'a\rb' }, 'name'],
    ['login_start', { label: long(101) }, 'label'],
    ['login_status', { deviceCode: '' }, 'deviceCode'],
    ['claim_handle', { handle: 'tandry' }, 'handle'],
    ['send', { body: '' }, 'body'],
    ['send', { to: addresses(51) }, 'to'],
    ['send', { to: ['nobody'] }, 'to.0'],
    ['send', { to: 'alice/review' }, 'to'],
    ['send', { to: ['@room'] }, 'to.0'],
    ['send', { meta: meta(9) }, 'meta'],
    ['send', { meta: { [long(65)]: 'x' } }, `meta.${long(64)}`],
    ['send', { meta: { key: long(257) } }, 'meta.key'],
    ['send', { meta: { key: null } }, 'meta.key'],
    ['send', { replyTo: 'm_1' }, 'replyTo'],
    ['read', { upTo: -1 }, 'upTo'],
    ['read', { upTo: 1.5 }, 'upTo'],
    ['read', { upTo: '3' }, 'upTo'],
    ['read', { upTo: 2 ** 53 }, 'upTo'],
    ['history', { view: 'all' }, 'view'],
    ['delete_message', { id: room }, 'id'],
  ])('%s refuses %j and names the place', (name, fields, place) => {
    expect(refusal(name, having(name, fields)).split(': ')[0]).toBe(place);
  });
});

describe('parsed input', () => {
  test('has trimmed names and the canonical code', () => {
    const request = { code: ' 4bcd-2qqf', intro: ' hi\n', name: ' Hub ', workspace };
    expect(parseInput('join', request)).toEqual({
      code: '4BCD2QQF',
      intro: 'hi',
      name: 'Hub',
      workspace,
    });
  });

  test('has bodies as they were written', () => {
    const body = ' \u202e\u200d\u0000\u001b[31m 👩‍💻 שלום\r\n';
    expect(parseInput('send', having('send', { body })).body).toBe(body);
  });

  test('has no meta that would lose an entry or give a prototype', () => {
    const hostile = JSON.parse(
      `{"id":"${message}","to":[],"body":"x","meta":{"__proto__":"x","a":"b"}}`,
    );
    expect(() => parseInput('send', hostile)).toThrow('__proto__');
  });
});

describe('rules between fields', () => {
  test('join takes either a code or a room', () => {
    expect(refusal('join', { intro: 'x', workspace })).toMatch('either');
    expect(refusal('join', { code: 'ABCD', room, intro: 'x', workspace })).toMatch('either');
    expect(refusal('join', { code: null, room: null, intro: 'x', workspace })).toMatch('either');
  });

  test('update_room changes something', () => {
    for (const nothing of [{}, { rotateCode: false }, { name: null, description: null }]) {
      expect(refusal('update_room', { room, ...nothing })).toMatch('at least one');
    }
    for (const something of [{ name: 'Hub' }, { description: '' }, { rotateCode: true }]) {
      parseInput('update_room', { room, ...something });
    }
  });
});

describe('the refusal', () => {
  test('tells all mistakes at once', () => {
    const told = refusal('send', { id: 'x', to: 7, body: '', dm: 'yes' });
    expect(told.split('; ').map((issue) => issue.split(':')[0])).toEqual([
      'id',
      'to',
      'body',
      'dm',
    ]);
  });

  test('stays short, whatever was written', () => {
    const bad = Object.fromEntries(addresses(5_000).map((key) => [key, 7]));
    expect(refusal('send', having('send', { meta: bad }))).toMatch(/; and 4980 more$/);
    expect(refusal('send', having('send', { meta: { [long(9_000)]: 7 } })).length).toBeLessThan(
      500,
    );
  });
});
