import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sampleConversation } from './fixtures/samples.ts';
import { formatConversationHandle, mintId } from './ids.ts';
import { operations, parseInput } from './operations/index.ts';
import { foreignTextRule } from './render/envelope.ts';
import { localTools, type ObjectSchema, remoteTools } from './tool-listing.ts';
import { type ToolSurroundings, toolRequest } from './tool-requests.ts';
import {
  isToolName,
  nativeToolName,
  parseRemoteInput,
  parseToolInput,
  RemoteCall,
} from './tools.ts';

const conversation = formatConversationHandle(sampleConversation);

const Parameters = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional() })),
  required: z.array(z.string()).default([]),
});

/** `to body dm? replyTo?` */
function signature(schema: ObjectSchema): string {
  const { properties, required } = Parameters.parse(schema);
  return Object.keys(properties)
    .toSorted()
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(' ');
}

const signatures = (listed: readonly { name: string; inputSchema: ObjectSchema }[]) =>
  Object.fromEntries(listed.map(({ name, inputSchema }) => [name, signature(inputSchema)]));

const inRoom = {
  update_room: 'description? name? rotateCode?',
  leave: '',
  members: '',
  rename: 'name',
  send: 'body dm? replyTo? to',
  inbox: '',
  history: 'before?',
};
const elsewhere = { status: '', new_room: 'description name', join: 'as? intro name? room' };

describe('what an agent may say', () => {
  test('locally', () => {
    expect(signatures(localTools())).toEqual({ login: 'action', ...elsewhere, ...inRoom });
  });

  test('remotely: the conversation too, but no login', () => {
    const withConversation = Object.entries(inRoom).map(([name, parameters]) => [
      name,
      ['conversation', ...parameters.split(' ')].filter(Boolean).toSorted().join(' '),
    ]);
    expect(signatures(remoteTools())).toEqual({
      ...elsewhere,
      ...Object.fromEntries(withConversation),
    });
  });

  test('every parameter is explained', () => {
    for (const { name, inputSchema } of [...localTools(), ...remoteTools()]) {
      for (const [parameter, { description }] of Object.entries(
        Parameters.parse(inputSchema).properties,
      )) {
        expect(description, `${name}.${parameter}`).toMatch(/^["A-Z].*\.$/);
      }
    }
  });

  test('null is understood, though not advertised', () => {
    const nulls = { to: '@room', body: 'x', dm: null, replyTo: null };
    expect(parseToolInput('send', nulls)).toEqual({ to: '@room', body: 'x' });
    expect(JSON.stringify(localTools().map((tool) => tool.inputSchema))).not.toMatch('"null"');
  });

  test('mistakes are refused with their place', () => {
    expect(() => parseToolInput('send', { to: 'bob' })).toThrow(/^to: .*; body: /);
    expect(() => parseToolInput('join', {})).toThrow(/^intro: .*; room: /);
  });
});

describe('schemas for hosts', () => {
  test('are objects of plain JSON, results open to later fields', () => {
    for (const tool of remoteTools()) {
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(schema.type).toBe('object');
        expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
        expect(JSON.stringify(schema)).not.toMatch(/\$schema|\$ref|"additionalProperties":false/);
      }
    }
  });

  test('results keep their nulls', () => {
    const inbox = remoteTools().find((tool) => tool.name === 'inbox');
    expect(JSON.stringify(inbox?.outputSchema)).toMatch('"null"');
  });
});

test('annotations: what only reads, what may hurt, what may be repeated', () => {
  const having = (hint: keyof ReturnType<typeof localTools>[number]['annotations']) =>
    localTools()
      .filter(({ annotations }) => annotations[hint])
      .map(({ name }) => name)
      .toSorted();
  expect(having('readOnlyHint')).toEqual(['history', 'members', 'status']);
  expect(having('destructiveHint')).toEqual(['join', 'leave', 'rename', 'update_room']);
  expect(having('idempotentHint')).toEqual(['history', 'leave', 'members', 'rename', 'status']);
  expect(having('openWorldHint')).toEqual([]);
});

describe('descriptions', () => {
  test('state the rule about foreign text once where messages or intros are shown', () => {
    const stating = localTools().filter(
      ({ description }) => description.split(foreignTextRule).length === 2,
    );
    expect(stating.map(({ name }) => name)).toEqual(['join', 'members', 'inbox', 'history']);
  });

  test('are short and plain: a host may show or check them', () => {
    for (const { name, title, description } of localTools()) {
      expect(description.length, name).toBeLessThan(700);
      expect(`${title} ${description}`, name).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  test.each([
    ['send', ['members who should act', 'acknowledgements', 'do not wait or poll', 'rate_limited']],
    ['inbox', ['no permission', "your own owner's instructions", 'blockers', 'never poll']],
    ['join', ['Only top-level conversations', 'one room at a time']],
    ['leave', ['Only when your owner asks']],
  ])('%s carries its conduct', (name, phrases) => {
    const { description } = localTools().find((tool) => tool.name === name) ?? { description: '' };
    for (const phrase of phrases) expect(description).toContain(phrase);
  });
});

describe('requests', () => {
  const minted: string[] = [];
  const surroundings: ToolSurroundings = {
    newId: (prefix) => {
      minted.push(mintId(prefix, 0, new Uint8Array(10).fill(minted.length)));
      return minted.at(-1) ?? '';
    },
    workspace: { repo: 'hub', branch: 'main' },
    room: sampleConversation.room,
  };
  const request = {
    join: toolRequest(
      'join',
      parseToolInput('join', { room: 'abcd-2qqf', intro: 'x', as: 'a' }),
      surroundings,
    ),
    send: toolRequest('send', parseToolInput('send', { to: [], body: 'x' }), surroundings),
    new_room: toolRequest(
      'new_room',
      parseToolInput('new_room', { name: 'Hub', description: '' }),
      surroundings,
    ),
    update_room: toolRequest(
      'update_room',
      parseToolInput('update_room', { rotateCode: true }),
      surroundings,
    ),
    rename: toolRequest('rename', parseToolInput('rename', { name: 'b' }), surroundings),
    history: toolRequest('history', parseToolInput('history', { before: 4 }), surroundings),
    leave: toolRequest('leave', parseToolInput('leave', { member: 'eve/x' }), surroundings),
  };

  test('add what the model never supplies', () => {
    expect(request).toEqual({
      join: { code: 'ABCD2QQF', intro: 'x', as: 'a', workspace: surroundings.workspace },
      send: { to: [], body: 'x', id: minted[0] },
      new_room: { name: 'Hub', description: '', id: minted[1] },
      update_room: { rotateCode: true, room: surroundings.room },
      rename: { name: 'b' },
      history: { before: 4 },
      leave: {},
    });
    expect(minted.map((id) => id.slice(0, 2))).toEqual(['m_', 'r_']);
  });

  test('are what the operations accept', () => {
    expect(() => parseInput('join', request.join)).not.toThrow();
    expect(() => parseInput('send', request.send)).not.toThrow();
    expect(() => parseInput('new_room', request.new_room)).not.toThrow();
    expect(() => parseInput('update_room', request.update_room)).not.toThrow();
  });
});

test('names', () => {
  expect(nativeToolName('inbox')).toBe('tandry_inbox');
  expect(isToolName('login')).toBe(true);
  expect(isToolName('login_start')).toBe(false);
  expect(isToolName('constructor')).toBe(false);
  for (const { name } of remoteTools()) expect(Object.keys(operations)).toContain(name);
});

test('a remote call says which conversation', () => {
  expect(parseRemoteInput('rename', { conversation, name: 'hub' })).toEqual({
    conversation: sampleConversation,
    name: 'hub',
  });
  expect(() => parseRemoteInput('send', { to: 'bob' })).toThrow(
    /^conversation: .*; to: .*; body: /,
  );
  expect(RemoteCall.parse({ conversation }).conversation).toEqual(sampleConversation);
  expect(RemoteCall.safeParse({}).success).toBe(false);
});
