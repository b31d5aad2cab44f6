import { describe, expect, test } from 'vitest';
import { errorCodes, HubError, httpStatusOf, nextStepOf } from '../../protocol/errors.ts';
import { failure } from '../../protocol/wire.ts';
import { createJoinedRig, createRig, until } from '../testing/rig.ts';
import { subagentRefusal } from './result.ts';

describe('before signing in', () => {
  test.each(['status', 'join', 'new_room'])(
    '%s says to log in, without a request',
    async (tool) => {
      const { bridge, hub } = await createRig();
      const args = { room: '4BCD-2QQF', intro: 'x', name: 'x', description: '' };
      const { text, isError } = await bridge.call(tool, args);
      expect(isError).toBe(true);
      expect(text).toBe(
        `Error not_logged_in: this device is not signed in\n${nextStepOf.not_logged_in}`,
      );
      expect(hub.requests).toEqual([]);
    },
  );
});

describe('before joining', () => {
  test.each([
    ['leave', {}],
    ['members', {}],
    ['rename', { name: 'x' }],
    ['send', { to: '@room', body: 'x' }],
    ['inbox', {}],
    ['history', {}],
    ['update_room', { name: 'x' }],
  ])('%s says to join, without a request', async (tool, args) => {
    const { bridge, hub, signIn } = await createRig();
    await signIn();
    const before = hub.requests.length;
    const { text, isError } = await bridge.call(tool, args);
    expect(isError).toBe(true);
    expect(text).toBe(
      `Error not_in_room: this conversation has not joined a room\n${nextStepOf.not_in_room}`,
    );
    expect(hub.requests).toHaveLength(before);
  });
});

describe('joining', () => {
  test('says what it found, and brings the conversation online', async () => {
    const { signIn, join, hub, member, room } = await createRig();
    await signIn();
    const { text } = await join();
    expect(text).toMatch('Joined the room "Hub" as henry/hub.');
    expect(text).toMatch('alice/review');
    expect(member()).toMatchObject({ host: 'codex', intro: 'Moving the Hub.', wakeable: true });
    expect(hub.inputsOf('join')[0]).toMatchObject({ code: room.code, workspace: { repo: '' } });
  });

  test('again changes nothing', async () => {
    const { join, hub, bridge } = await createJoinedRig();
    expect((await join()).text).toMatch('already henry/hub');
    expect(hub.links.opened).toBe(1);
    expect(bridge.status().unreachable).toBeUndefined();
  });

  test('shows the words that continue an offline member, with the code', async () => {
    const { signIn, join, hub, room, bridge } = await createRig();
    await signIn();
    await join();
    const account = hub.memberOf(room, '0a1b2c3d-conversation').account;
    hub.addMember(room, 'henry/old', { account });
    const { text } = await bridge.call('join', { room: room.shownCode, intro: 'x' });
    expect(text).toMatch(`- join ${room.shownCode} as old`);
  });

  test('continuing ends the link of the former conversation', async () => {
    const rig = await createJoinedRig();
    const other = rig.createAnother({ conversation: 'another-conversation' });
    await other.call('join', { room: rig.room.shownCode, intro: 'x', as: 'hub' });
    await until(() => rig.bridge.status().room === undefined);
    await until(() => !rig.hasMarker());
    expect(other.status().room).toEqual({ name: 'Hub', member: 'henry/hub' });
  });
});

describe('leaving', () => {
  test('deletes the marker and goes offline', async () => {
    const rig = await createJoinedRig();
    expect((await rig.bridge.call('leave', {})).text).toBe('henry/hub has left the room.');
    expect(rig.hasMarker()).toBe(false);
    await until(() => rig.linkCount() === 0);
    expect(rig.bridge.status()).toEqual({ unread: 0 });
  });

  test('being removed does the same, seen by whatever call comes next', async () => {
    const rig = await createJoinedRig();
    rig.room.members.length = 1;
    expect((await rig.bridge.call('members', {})).text).toMatch('Error not_in_room');
    await until(() => rig.linkCount() === 0);
    expect(rig.hasMarker()).toBe(false);
  });
});

test('renaming shows in status and after a restart', async () => {
  const { bridge, createAnother } = await createJoinedRig();
  await bridge.call('rename', { name: 'Hub rewrite' });
  expect(bridge.status().room?.member).toBe('henry/hub-rewrite');
  const resumed = createAnother();
  await resumed.start();
  expect(resumed.status().room?.member).toBe('henry/hub-rewrite');
});

test('updating the room shows in status', async () => {
  const { bridge, room, member } = await createJoinedRig();
  room.owner = member().account;
  const { text } = await bridge.call('update_room', { name: 'Hub on AWS' });
  expect(text).toMatch('The room is now:\n- "Hub on AWS" (owner');
  expect((await bridge.call('status', {})).text).toMatch(
    'This conversation is henry/hub in the room "Hub on AWS". Notices of new messages reach it.',
  );
});

test('sending says who is told', async () => {
  const { bridge, hub, room } = await createJoinedRig();
  const { text } = await bridge.call('send', { to: ['alice/review'], body: 'Done.', dm: true });
  expect(text).toMatch(/^Sent m_\w{26}\.\nalice\/review: offline, last active/);
  expect(room.log[0]?.view).toMatchObject({ body: 'Done.', visibility: 'dm' });
  expect(hub.requests.at(-1)?.headers).toMatchObject({
    'tandry-room': room.id,
    'tandry-host': 'codex',
    'tandry-conversation': '0a1b2c3d-conversation',
  });
});

describe('errors are results', () => {
  test.each(errorCodes)('%s with its next step', async (code) => {
    const { bridge, hub, passRetries } = await createJoinedRig();
    const body = JSON.stringify(failure(new HubError(code, `about ${code}`)));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      hub.fail('members', { kind: 'answer', status: httpStatusOf[code], body });
    }
    const calling = bridge.call('members', {});
    if (code === 'unavailable') await passRetries();
    const { text, isError } = await calling;
    expect(isError).toBe(true);
    expect(text).toBe(`Error ${code}: about ${code}\n${nextStepOf[code]}`);
  });

  test('an unknown tool, and arguments that are not right', async () => {
    const { bridge } = await createRig();
    expect((await bridge.call('delete_everything', {})).text).toMatch('Error invalid_input');
    expect((await bridge.call('constructor', {})).text).toMatch('Error invalid_input');
    expect((await bridge.call('send', { to: 'bob' })).text).toMatch(
      /invalid_input: to: .*; body: /,
    );
    expect((await bridge.call('login', {})).text).toMatch('invalid_input: action: ');
    expect((await bridge.call('join', null)).isError).toBe(true);
  });

  test('no Hub: one line that names the variable', async () => {
    const { createAnother } = await createRig();
    const bridge = createAnother({ hub: '' });
    const { text, isError } = await bridge.call('status', {});
    expect(isError).toBe(true);
    expect(text.split('\n')).toHaveLength(1);
    expect(text).toMatch('TANDRY_HUB');
  });

  test('a fault of ours shows its kind only', async () => {
    const { createAnother, join, signIn, room } = await createRig();
    await signIn();
    await join();
    const bridge = createAnother({
      conversation: 'elsewhere',
      folder: () => {
        throw new TypeError('with a secret');
      },
    });
    const { text } = await bridge.call('join', { room: room.shownCode, intro: 'x' });
    expect(text).toMatch('Error unavailable: the Tandry plugin failed (TypeError)');
    expect(text).not.toMatch('secret');
  });

  test('a subagent is refused', () => {
    const { text, isError } = subagentRefusal();
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error not_in_room: only top-level conversations/);
    expect(text).not.toMatch(/code/);
  });
});

test('the credentials of another Hub are not used', async () => {
  const { createAnother, hub, signIn } = await createRig();
  await signIn();
  const elsewhere = createAnother({ hub: `${hub.url}/elsewhere` });
  const requests = hub.requests.length;
  expect((await elsewhere.call('status', {})).text).toMatch('Error not_logged_in');
  expect(hub.requests).toHaveLength(requests);
});
