// Ending a device ends the room links that were opened with it, and no others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HubFrame } from '../../protocol/frames.ts';
import { getConnection, listLinks } from '../store/links.ts';
import { callWith, signInDevice, withRealTokens } from '../testing/test-devices.ts';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom, type TestRoom } from '../testing/test-room.ts';
import type { Hub } from './hub.ts';
import { openLink } from './link/open.ts';

let test: TestHub;
let hub: Hub;
let room: TestRoom;
const events: (readonly [connection: string, what: HubFrame | 'closed'])[] = [];

beforeAll(async () => {
  test = await startTestHub();
  hub = withRealTokens(test, {
    connections: {
      post: async (connection, frame) => {
        events.push([connection, frame]);
        return 'sent';
      },
      close: async (connection) => {
        events.push([connection, 'closed']);
      },
    },
  });
  room = await createTestRoom(test);
});
afterAll(() => test.close());

/** A member of the room's owner, and how its link is opened with a credential. */
async function member(name: string) {
  const { conversation = '' } = await room.member('owner1', name);
  const caller = { host: 'codex', conversation } as const;
  return (at: Hub, bearer: string, connection: string) => {
    const connectedAt = test.hub.table.nowMs();
    return openLink(at, { connection, connectedAt, bearer, room: room.id, caller });
  };
}

/** A machine of the room's owner, with one conversation that has an open link. */
async function linkedDevice(name: string) {
  const { token } = await signInDevice(hub, 'owner1', name);
  const openWith = await member(name);
  const openAt = (at: Hub, connection: string) => openWith(at, token, connection);
  const open = (connection: string) => openAt(hub, connection);
  await open(`${name}-link`);
  const { devices } = await callWith(hub, 'devices', {}, { bearer: token });
  return { token, open, openAt, id: devices.find(({ current }) => current)?.id ?? '' };
}

const revoked = (name: string) => [
  [`${name}-link`, { t: 'state', link: 'revoked' }],
  [`${name}-link`, 'closed'],
];

describe('a device that is signed out', () => {
  it('by another one, loses its links, which are told why, and gets no new one', async () => {
    const mine = await linkedDevice('laptop');
    const lost = await linkedDevice('phone');
    events.length = 0;
    await callWith(hub, 'revoke_device', { id: lost.id }, { bearer: mine.token });
    expect(events).toEqual(revoked('phone'));
    await expect(lost.open('again')).rejects.toMatchObject({ code: 'not_logged_in' });
    await expect(mine.open('laptop-again')).resolves.toBeUndefined();
  });

  it('by itself, as well', async () => {
    const mine = await linkedDevice('server');
    events.length = 0;
    await callWith(hub, 'logout', {}, { bearer: mine.token });
    expect(events).toEqual(revoked('server'));
    await expect(callWith(hub, 'status', {}, { bearer: mine.token })).rejects.toMatchObject({
      code: 'not_logged_in',
    });
  });
});

it('a link that is being opened while its device is signed out does not outlive it', async () => {
  const mine = await linkedDevice('desk');
  const lost = await linkedDevice('tablet');
  // Signed out after the credential was looked up, and before there is a link to be ended.
  let isRevoked = false;
  const late: Hub = {
    ...hub,
    authenticate: async (bearer) => {
      const principal = await hub.authenticate(bearer);
      if (isRevoked) return principal;
      isRevoked = true;
      await callWith(hub, 'revoke_device', { id: lost.id }, { bearer: mine.token });
      return principal;
    },
  };
  await expect(lost.openAt(late, 'late')).rejects.toMatchObject({ code: 'not_logged_in' });
  await expect(getConnection(hub.table, 'late')).resolves.toBeUndefined();
  await expect(listLinks(hub.table, room.id)).resolves.not.toContainEqual(
    expect.objectContaining({ connection: 'late' }),
  );
});

it('a website session that signs out loses the links opened with it', async () => {
  const site = { ...hub, authenticate: test.hub.authenticate };
  const open = await member('site');
  await open(site, 'owner1', 'site-link');
  events.length = 0;
  await callWith(site, 'logout', {}, { bearer: 'owner1' });
  expect(events).toEqual(revoked('site'));
});
