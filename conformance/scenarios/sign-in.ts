// Scenarios with tokens of machines: how they are got, what they open, how they end.
import assert from 'node:assert/strict';
import type { LinkEnd } from '../../protocol/frames.ts';
import type { Account, Caller } from '../client.ts';
import { refused } from '../refused.ts';
import { type RoomLink, UpgradeRefused } from '../room-links.ts';
import { overSignIn, type Scenario } from '../scenario.ts';
import type { LinkWorld, Room } from '../world.ts';

/** Signs a machine in: the account with that machine's token. */
async function signInDevice({ call }: LinkWorld, account: Account, label: string) {
  const started = await call('login_start', {}, { label });
  await account.decideLogin?.(started, 'approve');
  const status = await call('login_status', {}, { deviceCode: started.deviceCode });
  assert.ok(status.state === 'approved', status.state);
  const { token } = status;
  return { ...account, token: async () => token };
}

/** A link of a new conversation of that machine. */
async function listenFrom({ join, listen }: LinkWorld, device: Account, room: Room) {
  return listen(await join(device, room, { host: 'codex' }));
}

async function endsAs(end: LinkEnd, link: RoomLink): Promise<void> {
  await link.hears(end, (frame) => frame.t === 'state' && frame.link === end);
  await link.closes();
}

export const signInScenarios: readonly Scenario<LinkWorld>[] = [
  {
    title: 'a machine starts a sign-in without a credential, and hears how it ends',
    cites: ['login.start', 'login.status'],
    bindings: overSignIn,
    async play({ call, alice }) {
      const [one, two] = [await call('login_start', {}, {}), await call('login_start', {}, {})];
      for (const { url, userCode, intervalSeconds, expiresInSeconds } of [one, two]) {
        assert.match(userCode, /^[A-Z]{4}-[A-Z]{4}$/);
        assert.ok(url.endsWith(`/device?user_code=${userCode}`), url);
        assert.deepEqual([intervalSeconds, expiresInSeconds], [5, 600]);
      }
      const stateOf = (deviceCode: string) => call('login_status', {}, { deviceCode });
      assert.deepEqual(await stateOf(one.deviceCode), { state: 'pending' });
      await alice.decideLogin?.(one, 'approve');
      const status = await stateOf(one.deviceCode);
      assert.ok(status.state === 'approved');
      assert.deepEqual(status.account, { id: alice.id, handle: alice.handle });
      assert.deepEqual(await stateOf(one.deviceCode), status);
      assert.deepEqual(await stateOf(two.deviceCode), { state: 'pending' });
      await alice.decideLogin?.(two, 'decline');
      assert.deepEqual(await stateOf(two.deviceCode), { state: 'denied' });
      assert.deepEqual(await stateOf(`${one.deviceCode}x`), { state: 'expired' });
    },
  },
  {
    title: 'tokens of a machine and of the website reach one account',
    cites: ['http.device-token'],
    bindings: overSignIn,
    async play(world) {
      const { call, newRoom, join, alice } = world;
      const device = await signInDevice(world, alice, 'One of two');
      const room = await newRoom(device);
      const seat = await join(device, room, { host: 'codex' });
      const onSite: Caller = { ...seat, account: alice };
      assert.deepEqual((await call('inbox', onSite, {})).messages, []);
      const rooms = (await call('status', { account: alice }, {})).rooms.map(({ id }) => id);
      assert.ok(rooms.includes(room.id));
      assert.deepEqual(
        await call('status', { account: device }, {}),
        await call('status', { account: alice }, {}),
      );
    },
  },
  {
    title: 'the website’s own rights are not a machine’s',
    cites: ['http.website-host', 'claim.website-only', 'link.forbidden', 'http.device-mcp'],
    bindings: overSignIn,
    async play(world) {
      const { call, http, newRoom, openLink, alice } = world;
      const device = await signInDevice(world, alice, 'Not a website');
      const room = await newRoom(alice);
      const site = { account: device, host: 'website', conversation: 'site' } as const;
      await refused('forbidden', call('members', site, {}));
      await refused('forbidden', call('inbox', { ...site, room: room.id }, {}));
      await refused('forbidden', call('claim_handle', { account: device }, { handle: 'another' }));
      await assert.rejects(openLink({ ...site, room: room.id }), new UpgradeRefused(403));
      for (const { token } of [device, alice]) {
        const headers = { authorization: `Bearer ${await token()}` };
        const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
        const answer = await http({ path: '/mcp', headers, body });
        assert.equal(answer.status, 401);
      }
    },
  },
  {
    title: 'devices are listed, and a revoked one is out at once, its links with it',
    cites: ['devices.list', 'devices.revoke', 'link.revoked-device'],
    bindings: overSignIn,
    async play(world) {
      const { call, newRoom, alice } = world;
      const room = await newRoom(alice);
      const kept = await signInDevice(world, alice, 'Kept');
      const lost = await signInDevice(world, alice, 'Lost');
      const [keptLink, lostLink] = [
        await listenFrom(world, kept, room),
        await listenFrom(world, lost, room),
      ];
      const { devices } = await call('devices', { account: kept }, {});
      const byLabel = (label: string) => devices.filter((device) => device.label === label);
      const [own, other] = [byLabel('Kept').at(-1), byLabel('Lost').at(-1)];
      assert.deepEqual([own?.current, other?.current], [true, false]);
      assert.ok(other !== undefined && other.expiresAt > other.createdAt);
      await call('revoke_device', { account: kept }, { id: `${other.id}x` });
      await call('status', { account: lost }, {});
      await call('revoke_device', { account: kept }, { id: other.id });
      await refused('not_logged_in', call('status', { account: lost }, {}));
      await endsAs('revoked', lostLink);
      await keptLink.ping();
      const left = (await call('devices', { account: kept }, {})).devices;
      assert.ok(left.every(({ id }) => id !== other.id));
      assert.deepEqual(await call('revoke_device', { account: kept }, { id: other.id }), {});
    },
  },
  {
    title: 'a machine that signs out is out at once, its links with it, and no other machine',
    cites: ['logout.dead', 'link.revoked-device'],
    bindings: overSignIn,
    async play(world) {
      const { call, newRoom, openLink, join, listen, alice } = world;
      const room = await newRoom(alice);
      const kept = await signInDevice(world, alice, 'Kept');
      const left = await signInDevice(world, alice, 'Left');
      const keptLink = await listenFrom(world, kept, room);
      const seat = await join(left, room, { host: 'codex' });
      const link = await listen(seat);
      await call('logout', { account: left }, {});
      await refused('not_logged_in', call('status', { account: left }, {}));
      await endsAs('revoked', link);
      await assert.rejects(openLink(seat), new UpgradeRefused(401));
      await keptLink.ping();
      await call('status', { account: kept }, {});
    },
  },
];
