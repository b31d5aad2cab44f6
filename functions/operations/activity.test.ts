// Which calls show that a member is there: of a connector all, of others only what they do.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HostKind } from '../../protocol/nouns.ts';
import type { Caller, TestHub } from '../testing/test-hub.ts';
import { startTestHub } from '../testing/test-hub.ts';
import { createTestRoom, type TestRoom } from '../testing/test-room.ts';

const minuteMs = 60_000;

let hub: TestHub;
let room: TestRoom;
beforeAll(async () => {
  hub = await startTestHub();
  room = await createTestRoom(hub);
});
afterAll(() => hub.close());

const calls = {
  members: (caller: Caller) => hub.call('members', caller, {}),
  history: (caller: Caller) => hub.call('history', caller, {}),
  inbox: (caller: Caller) => hub.call('inbox', caller, {}),
  rename: (caller: Caller) => hub.call('rename', caller, { name: `renamed-${caller.host}` }),
  send: (caller: Caller) =>
    hub.call('send', caller, { id: hub.newId('m_'), to: [], body: 'Still here.' }),
};

/** Whether the call, twenty minutes after the last, brings a new member online again. */
async function isLifeSign(host: HostKind, call: (caller: Caller) => Promise<unknown>) {
  const member = await room.member('anna', `lively-${host}`, host);
  hub.shiftMs(20 * minuteMs);
  await call(member);
  const { members } = await hub.call('members', room.owner, {});
  const joinedAs = members.findLast(({ host: kind }) => kind === host);
  return joinedAs?.state === 'online';
}

it.each(Object.entries(calls))('%s of a connector is a sign of life', async (_, call) => {
  for (const host of ['claude-web', 'chatgpt-web', 'web'] as const) {
    expect(await isLifeSign(host, call)).toBe(true);
  }
});

it('looking around is none of the website, saying something is', async () => {
  const join = { room: room.id, intro: 'A person.', workspace: { repo: '', branch: '' } };
  const site: Caller = { ...room.owner, host: 'website', conversation: 'site' };
  const seen = async () => {
    const { members } = await hub.call('members', room.owner, {});
    return members.find(({ host }) => host === 'website')?.state;
  };
  await hub.call('join', site, join);
  hub.shiftMs(20 * minuteMs);
  await calls.members(site);
  await calls.history(site);
  expect(await seen()).toBe('offline');
  await calls.send(site);
  expect(await seen()).toBe('online');
});

it('is noted at most once a minute', async () => {
  const member = await room.member('anna', 'chatty', 'web');
  hub.shiftMs(2 * minuteMs);
  await calls.members(member);
  const { writes } = await hub.db.ledger.measure(() => calls.members(member));
  expect(writes).toBe(0);
});
