// Bad input for every operation, over HTTP: each value has its answer, and nothing is written.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRequests } from '../../protocol/fixtures/samples.ts';
import { mintId } from '../../protocol/ids.ts';
import type { OperationName } from '../../protocol/operations/index.ts';
import { operations } from '../../protocol/operations/index.ts';
import { badJson, badRequests, type FieldKind } from '../testing/bad-json.ts';
import { type RawAnswer, type StackHub, startStackHub } from '../testing/stack-hub.ts';

type Fields = Readonly<Record<string, readonly [FieldKind, 'required' | 'optional']>>;

/** Every field of every operation. */
const fieldsOf: { readonly [Name in OperationName]: Fields } = {
  login_start: { label: ['label', 'optional'] },
  login_status: { deviceCode: ['opaque', 'required'], label: ['label', 'optional'] },
  logout: {},
  status: {},
  devices: {},
  revoke_device: { id: ['opaque', 'required'] },
  claim_handle: { handle: ['handle', 'required'] },
  new_room: {
    id: ['roomId', 'required'],
    name: ['roomName', 'required'],
    description: ['description', 'required'],
  },
  update_room: {
    room: ['roomId', 'required'],
    name: ['roomName', 'optional'],
    description: ['description', 'optional'],
    rotateCode: ['flag', 'optional'],
  },
  delete_room: { room: ['roomId', 'required'] },
  join: {
    code: ['code', 'required'],
    room: ['roomId', 'required'],
    intro: ['intro', 'required'],
    name: ['nameText', 'optional'],
    as: ['reference', 'optional'],
    workspace: ['workspace', 'required'],
  },
  leave: { member: ['reference', 'optional'] },
  rename: { member: ['reference', 'optional'], name: ['memberName', 'required'] },
  members: {},
  send: {
    id: ['messageId', 'required'],
    to: ['recipients', 'required'],
    body: ['body', 'required'],
    dm: ['flag', 'optional'],
    replyTo: ['messageId', 'optional'],
    meta: ['meta', 'optional'],
  },
  inbox: {},
  read: { upTo: ['position', 'required'] },
  history: { before: ['position', 'optional'], view: ['view', 'optional'] },
  delete_message: { id: ['messageId', 'required'] },
};

const operationNames = Object.keys(operations).filter(
  (name): name is OperationName => name in fieldsOf,
);

let hub: StackHub;
let headers: string[];

beforeAll(async () => {
  hub = await startStackHub();
  const authorization = ['authorization', `Bearer ${await hub.token('bad@example.test')}`];
  const json = ['content-type', 'application/json'];
  const claimed = await hub.post('claim_handle', [...authorization, ...json], '{"handle":"badly"}');
  expect(claimed.code).toBe('ok');
  const room = mintId('r_', Date.now(), new Uint8Array(10).fill(7));
  const made = { id: room, name: 'Room', description: '' };
  await hub.post('new_room', [...authorization, ...json], JSON.stringify(made));
  const caller = ['tandry-host', 'codex', 'tandry-conversation', 'one'];
  headers = [...authorization, ...json, ...caller, 'tandry-room', room];
});
afterAll(() => hub.close());

/** The operation's sample with one field replaced, or without it. */
function requestWith(operation: OperationName, field: string, json: string | undefined): string {
  const isOther = (name: string) => name !== field && !(field === 'room' && name === 'code');
  const others = Object.entries(sampleRequests[operation]).filter(([name]) => isOther(name));
  const fields = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  if (json !== undefined) fields.push(`${JSON.stringify(field)}:${json}`);
  return `{${fields.join()}}`;
}

/** Posts each body; gives those that were not refused as they should be. */
async function deviations(operation: OperationName, bodies: readonly string[]) {
  const wrong: [string, Pick<RawAnswer, 'status' | 'code'>][] = [];
  for (const body of bodies) {
    const { status, code } = await hub.post(operation, headers, body);
    if (code !== 'invalid_input' || status !== 400) {
      wrong.push([`${body.slice(0, 200)} (${body.length} characters)`, { status, code }]);
    }
  }
  return wrong;
}

/** What functions did to the table meanwhile. */
async function callsDuring<Result>(work: () => Promise<Result>) {
  const { calls, result } = await hub.stack.dynamodb.ledger.measure(work);
  return { calls: calls.filter(({ principal }) => /^(Http|Auth)/.test(principal)), result };
}

describe.each(operationNames)('%s', (operation) => {
  test('a wrong value in any field is invalid_input, and the table is not even asked', async () => {
    const bodies = Object.entries(fieldsOf[operation]).flatMap(([field, [kind, need]]) => [
      ...badJson[kind].map((json) => requestWith(operation, field, json)),
      ...(need === 'required' ? [undefined, 'null'] : []).map((json) =>
        requestWith(operation, field, json),
      ),
    ]);
    const { calls, result } = await callsDuring(() => deviations(operation, bodies));
    expect(result).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('a request that is no object of JSON is invalid_input', async () => {
    const { calls, result } = await callsDuring(() => deviations(operation, badRequests));
    expect(result).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('its fields are those that are tried', () => {
    expect(Object.keys(fieldsOf[operation]).sort()).toEqual(
      Object.keys(operations[operation].fields.shape).sort(),
    );
  });
});
