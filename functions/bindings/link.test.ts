// Sockets of room links (protocol, section 3): upgrades, state frames, supersession, ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeHeaders } from '../../protocol/wire.ts';
import type { Connections } from '../operations/link/connections.ts';
import { endDeviceLinks, endRoomLinks } from '../operations/link/end-all.ts';
import { getConversation } from '../store/conversations.ts';
import { putLink } from '../store/links.ts';
import { type Caller, startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestLinks, type TestLinks } from '../testing/test-links.ts';
import { createTestRoom, type TestRoom } from '../testing/test-room.ts';

let hub: TestHub;
let links: TestLinks;
let room: TestRoom;
beforeAll(async () => {
  hub = await startTestHub();
  links = createTestLinks(hub);
  room = await createTestRoom(hub);
});
afterAll(() => hub.close());

const wakeable = { t: 'state', wakeable: true } as const;

async function presence(address: string) {
  const { members } = await hub.call('members', room.owner, {});
  return members.find((member) => member.address === address);
}

function headersOf({ account, host = 'codex', conversation = '' }: Caller) {
  return encodeHeaders({ token: account, room: room.id, caller: { host, conversation } });
}

describe('an upgrade', () => {
  it.each([
    ['without a credential', 401, { authorization: '' }],
    ['of a conversation that never joined', 409, { 'tandry-conversation': 'never-joined' }],
    ['to another room', 409, { 'tandry-room': 'r_00000000elsewhere' }],
    ['to no room', 400, { 'tandry-room': undefined }],
    ['with half a conversation', 400, { 'tandry-host': undefined }],
    ['of a host without links', 400, { 'tandry-host': 'claude-web' }],
    ['of the website, which has none', 400, { 'tandry-host': 'website' }],
    ['of a version that is not served', 426, { 'tandry-protocol': '0' }],
  ])('%s is refused with %i', async (_, status, changed) => {
    const member = await room.member('anna', 'refused');
    const headers = JSON.parse(JSON.stringify({ ...headersOf(member), ...changed }));
    expect((await links.open(member, { headers })).status).toBe(status);
    expect(links.posted).toEqual([]);
  });

  it('takes headers in the spelling of the client', async () => {
    const member = await room.member('anna', 'spelling');
    const headers = Object.fromEntries(
      Object.entries(headersOf(member)).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect((await links.open(member, { headers })).status).toBe(200);
  });

  it('makes a link that is not wakeable until the client says so', async () => {
    const member = await room.member('anna', 'fresh');
    expect((await links.open(member)).status).toBe(200);
    expect(await presence(member.address)).toMatchObject({ state: 'offline', wakeable: false });
  });
});

describe('a state frame', () => {
  it('makes the member online, busy, and offline again as it says', async () => {
    const member = await room.member('anna', 'states');
    const { connection } = await links.open(member);
    await links.state(connection, { ...wakeable, busy: true });
    const busy = { state: 'online', wakeable: true, busy: true };
    expect(await presence(member.address)).toMatchObject(busy);
    await links.state(connection, { t: 'state', wakeable: false, reason: 'a one-shot run' });
    expect(await presence(member.address)).toMatchObject({ state: 'offline', wakeable: false });
    expect(await presence(member.address)).not.toHaveProperty('busy');
  });

  it('counts by when it was received, not by when it was handled', async () => {
    const member = await room.member('anna', 'order');
    const { connection } = await links.open(member);
    const later = Date.now() + 1_000;
    await links.state(connection, wakeable, later + 2);
    await links.state(connection, { t: 'state', wakeable: false }, later + 1);
    expect(await presence(member.address)).toMatchObject({ state: 'online' });
  });

  it.each(['ping', '{"t":"state"}', '{"t":"other"}', '[]', '{', ''])(
    'that is none (%s) is passed over',
    async (text) => {
      const member = await room.member('anna', 'noise');
      const { connection } = await links.open(member);
      await links.state(connection, text);
      expect(await presence(member.address)).toMatchObject({ state: 'offline' });
    },
  );

  it('of an unknown connection changes nothing', async () => {
    await links.state('never-opened=', wakeable);
    expect(links.posted).toEqual([]);
  });
});

describe('a member without a sign of life', () => {
  it('is shown offline once its link was silent for eleven minutes', async () => {
    const member = await room.member('anna', 'silent');
    const { connection } = await links.open(member);
    const seen = Date.now();
    await links.state(connection, wakeable);
    hub.shiftMs(10 * 60_000);
    expect(await presence(member.address)).toMatchObject({ state: 'online' });
    hub.shiftMs(70_000);
    const silent = await presence(member.address);
    hub.shiftMs(-10 * 60_000 - 70_000);
    expect(silent).toMatchObject({ state: 'offline', wakeable: false });
    expect(silent?.lastActiveAt).toBeGreaterThanOrEqual(seen);
    expect(silent?.lastActiveAt).toBeLessThan(seen + 5_000);
  });

  it('is offline at once when its socket ends, and was last there when it was heard of', async () => {
    const member = await room.member('anna', 'ended');
    const { connection } = await links.open(member);
    const seen = Date.now() + 2_000;
    await links.state(connection, wakeable, seen);
    await links.close(connection, 1006);
    const view = await presence(member.address);
    expect(view).toMatchObject({ state: 'offline', lastActiveAt: seen });
  });
});

describe('two processes of one conversation', () => {
  it('do not fight: the older is told once and stays quiet, operations of both work', async () => {
    const member = await room.member('anna', 'twice');
    const older = await links.open(member);
    await links.state(older.connection, wakeable);
    const newer = await links.open(member);
    expect(links.take(older.connection)).toEqual([{ t: 'state', link: 'superseded' }]);
    await links.state(older.connection, wakeable);
    await links.state(newer.connection, wakeable);
    await links.state(older.connection, { t: 'state', wakeable: false });
    expect(links.posted).toEqual([]);
    expect(links.closed).not.toContain(older.connection);
    expect(await presence(member.address)).toMatchObject({ state: 'online' });
    await links.close(older.connection);
    expect(await presence(member.address)).toMatchObject({ state: 'online' });
    await expect(hub.call('inbox', member, {})).resolves.toMatchObject({ messages: [] });
  });

  it('the newer is let in though the older cannot be told, which its next frame makes up for', async () => {
    const member = await room.member('anna', 'unreachable');
    const older = await links.open(member);
    links.failing.add(older.connection);
    expect((await links.open(member)).status).toBe(200);
    links.failing.clear();
    await links.state(older.connection, wakeable);
    expect(links.take(older.connection)).toEqual([{ t: 'state', link: 'superseded' }]);
  });

  it('are told apart by when they connected, not by whose upgrade was handled last', async () => {
    const member = await room.member('anna', 'overtaken');
    const now = Date.now();
    const newer = await links.open(member, { connectedAt: now });
    const older = await links.open(member, { connectedAt: now - 500 });
    await links.state(older.connection, wakeable);
    expect(links.take(older.connection)).toEqual([{ t: 'state', link: 'superseded' }]);
    expect(links.take(newer.connection)).toEqual([]);
    await links.state(older.connection, wakeable);
    expect(links.posted).toEqual([]);
  });

  it('of the same millisecond are told apart all the same, whoever is handled last', async () => {
    const { room: id = '', ...caller } = await room.member('anna', 'same-ms');
    const { table } = hub.hub;
    const row = await getConversation(table, { host: 'codex', conversation: '', ...caller });
    const stay = { room: id, no: row?.no ?? 0, epoch: row?.epoch ?? 0 };
    const now = Date.now();
    const take = async (connection: string) => {
      const link = { connection, connectedAt: now, seenAt: now, wakeable: false };
      return (await putLink(table, stay, link)).isNewest;
    };
    expect([await take('b'), await take('a'), await take('b'), await take('c')]).toEqual([
      ...[true, false, true, true],
    ]);
  });

  it('connecting at once, the older is told by its first frame', async () => {
    const member = await room.member('anna', 'at-once');
    const older = await links.open(member);
    links.gone.add(older.connection);
    const newer = await links.open(member);
    links.gone.delete(older.connection);
    await links.state(newer.connection, wakeable);
    await links.state(older.connection, wakeable);
    expect(links.posted).toEqual([
      { connection: older.connection, frame: { t: 'state', link: 'superseded' } },
    ]);
    links.posted.length = 0;
  });
});

describe('a link whose member moved on', () => {
  it('is told rebound and closed when the new conversation connects', async () => {
    const member = await room.member('anna', 'moved');
    const before = await links.open(member);
    const next = { ...member, conversation: `${member.conversation}-next` };
    await hub.call('join', next, {
      code: room.code,
      intro: 'Going on here.',
      as: 'moved',
      workspace: { repo: '', branch: '' },
    });
    expect((await links.open(next)).status).toBe(200);
    expect(links.take(before.connection)).toEqual([{ t: 'state', link: 'rebound' }]);
    expect(links.closed).toContain(before.connection);
    expect((await links.open(member)).status).toBe(409);
  });

  it('is told and closed by its first frame when it was still connecting', async () => {
    const left = await room.member('anna', 'too-early');
    const { connection } = await links.open(left);
    links.gone.add(connection);
    await hub.call('leave', left, {});
    await links.pump();
    links.gone.delete(connection);
    links.closed.length = 0;
    await links.state(connection, wakeable);
    expect(links.take(connection)).toEqual([{ t: 'state', link: 'not_in_room' }]);
    expect(links.closed).toEqual([connection]);
  });

  it('is told by its own state frame when nobody else did', async () => {
    const left = await room.member('anna', 'gone');
    const { connection } = await links.open(left);
    await hub.call('leave', left, {});
    await links.pump();
    expect(links.take(connection)).toEqual([{ t: 'state', link: 'not_in_room' }]);
    await links.state(connection, wakeable);
    expect(links.take(connection)).toEqual([]);
  });
});

describe('ends from outside', () => {
  it('close every socket of a revoked device, superseded ones too', async () => {
    const member = await room.member('dora', 'revoked');
    const older = await links.open(member);
    const newer = await links.open(member);
    links.take(older.connection);
    const { post, close } = recorder();
    const ending = { table: hub.hub.table, connections: { post, close } };
    await endDeviceLinks(ending, 'dora', 'website');
    const told = [older.connection, newer.connection].sort();
    expect(post.calls.map(({ to }) => to).sort()).toEqual(told);
    expect(post.calls.every(({ frame }) => JSON.stringify(frame).includes('revoked'))).toBe(true);
    expect(close.calls.sort()).toEqual(told);
    expect(await presence(member.address)).toMatchObject({ state: 'offline' });
  });

  it('close what can be told nothing any more, and end the others though one fails', async () => {
    const members = await Promise.all(['a', 'b', 'c'].map((name) => room.member('flora', name)));
    const opened = await Promise.all(members.map((member) => links.open(member)));
    const [deaf, stuck] = opened.map(({ connection }) => connection).sort();
    const closed: string[] = [];
    const connections: Connections = {
      post: async (connection) => {
        if (connection === deaf) throw new Error('the buffer is full');
        return 'sent';
      },
      close: async (connection) => {
        if (connection === stuck) throw new Error('not now');
        // Slower than the failure of the other one.
        await hub.hub.table.sleep(50);
        closed.push(connection);
      },
    };
    const ending = endDeviceLinks({ table: hub.hub.table, connections }, 'flora', 'website');
    await expect(ending).rejects.toThrow('not now');
    const others = opened.map(({ connection }) => connection).filter((each) => each !== stuck);
    expect(closed.sort()).toEqual(others.sort());
  });

  it('close every link of a room that is deleted', async () => {
    const other = await createTestRoom(hub, 'owner2');
    const member = await other.member('erik', 'here');
    const { connection } = await links.open(member);
    await hub.call('delete_room', { account: 'owner2' }, { room: other.id });
    const { post, close } = recorder();
    await endRoomLinks({ table: hub.hub.table, connections: { post, close } }, other.id);
    expect(post.calls).toEqual([{ to: connection, frame: { t: 'state', link: 'not_in_room' } }]);
    expect(close.calls).toEqual([connection]);
    expect((await links.open(member)).status).toBe(409);
  });
});

function recorder() {
  const posts: { to: string; frame: unknown }[] = [];
  const closes: string[] = [];
  const post = Object.assign(
    async (to: string, frame: unknown) => {
      posts.push({ to, frame });
      return 'sent' as const;
    },
    { calls: posts },
  );
  const close = Object.assign(async (to: string) => void closes.push(to), { calls: closes });
  return { post, close };
}
