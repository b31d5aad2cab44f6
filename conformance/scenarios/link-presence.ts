// Scenarios of presence as links make it, with and without moving the clock.
import assert from 'node:assert/strict';
import type { MemberView } from '../../protocol/nouns.ts';
import { eventually } from '../eventually.ts';
import type { RoomLink } from '../room-links.ts';
import { overLink, type Scenario } from '../scenario.ts';
import { type LinkWorld, meet, type Seat } from '../world.ts';

const minuteMs = 60_000;

/** How one member sees another. */
function watch({ call }: LinkWorld, viewer: Seat, { address }: Seat) {
  const view = async () => {
    const { members } = await call('members', viewer, {});
    const member = members.find((it) => it.address === address);
    assert.ok(member !== undefined);
    return member;
  };
  return {
    view,
    becomes: (what: string, isSo: (member: MemberView) => boolean) => eventually(what, view, isSo),
  };
}

const isOnline = ({ state, wakeable }: MemberView) => state === 'online' && wakeable;
const isOffline = ({ state, wakeable }: MemberView) => state === 'offline' && !wakeable;

export const linkPresenceScenarios: readonly Scenario<LinkWorld>[] = [
  {
    title: 'a member is online while its open link last said that it can be woken',
    cites: ['link.state', 'presence.push-online', 'presence.online-now'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { openLink, say } = world;
      const { ann, ben } = await meet(world);
      const { view, becomes } = watch(world, ann, ben);
      const link = await openLink(ben);
      await link.ping();
      assert.ok(isOffline(await view()), 'opening alone does not make it online');
      link.announce({ wakeable: true });
      const online = await becomes('online', isOnline);
      assert.equal(online.busy, undefined);
      const { lastActiveAt } = online;
      await becomes('active now', (it) => it.lastActiveAt > lastActiveAt);
      link.announce({ wakeable: true, busy: true });
      await becomes('busy', (it) => isOnline(it) && it.busy === true);
      const [recipient] = (await say(ann, { to: [ben.address] })).recipients;
      assert.deepEqual(
        [recipient?.state, recipient?.wakeable, recipient?.busy],
        ['online', true, true],
      );
      link.announce({ wakeable: true, busy: false });
      await becomes('free', (it) => isOnline(it) && it.busy === false);
      link.announce({ wakeable: false, reason: 'A run that nobody can talk to.' });
      await becomes('offline', isOffline);
      link.announce({ wakeable: true });
      await becomes('online again', (it) => isOnline(it) && it.busy === undefined);
      await link.close();
      await becomes('offline without a link', isOffline);
    },
  },
  {
    title: 'only the newest link speaks for its member',
    cites: ['link.state', 'link.superseded', 'presence.push-online'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { openLink } = world;
      const { ann, ben } = await meet(world);
      const { becomes } = watch(world, ann, ben);
      const older = await openLink(ben);
      older.announce({ wakeable: true });
      await becomes('online', isOnline);
      const newer = await openLink(ben);
      await becomes('offline until the newer link speaks', isOffline);
      newer.announce({ wakeable: true });
      await becomes('online', isOnline);
      older.announce({ wakeable: false });
      await older.close();
      newer.announce({ wakeable: true, busy: true });
      assert.ok(isOnline(await becomes('busy', (it) => it.busy === true)));
    },
  },
  {
    title: 'the end of a stay or a continuation ends its presence',
    cites: ['presence.push-online', 'link.rebound'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { openLink, join, bob } = world;
      const { room, ann, ben } = await meet(world);
      const { becomes } = watch(world, ann, ben);
      const link = await openLink(ben);
      link.announce({ wakeable: true });
      await becomes('online', isOnline);
      const next = await join(bob, room, { as: 'ben' });
      await becomes('offline', isOffline);
      await link.closes();
      (await openLink(next)).announce({ wakeable: true });
      await becomes('online', isOnline);
    },
  },
  {
    title: 'opening, state frames and closing are activity',
    cites: ['presence.activity-link'],
    bindings: overLink,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { openLink, advanceMs } = world;
      const { ann, ben } = await meet(world);
      const { view, becomes } = watch(world, ann, ben);
      let link: RoomLink | undefined;
      const activities: readonly [string, () => Promise<void>][] = [
        [
          'opening',
          async () => {
            link = await openLink(ben);
          },
        ],
        ['a state frame', async () => link?.announce({ wakeable: false })],
        ['closing', async () => link?.close()],
      ];
      let { lastActiveAt } = await view();
      for (const [name, act] of activities) {
        advanceMs(2 * minuteMs);
        assert.ok((await view()).lastActiveAt < lastActiveAt + minuteMs, `before ${name}`);
        await act();
        const isNow = (it: MemberView) => it.lastActiveAt >= lastActiveAt + 2 * minuteMs;
        ({ lastActiveAt } = await becomes(`active by ${name}`, isNow));
      }
    },
  },
  {
    title: 'a member whose link has fallen silent is not online any more',
    cites: ['presence.push-online'],
    bindings: overLink,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { openLink, advanceMs } = world;
      const { ann, ben } = await meet(world);
      const { becomes } = watch(world, ann, ben);
      const link = await openLink(ben);
      link.announce({ wakeable: true });
      await becomes('online', isOnline);
      advanceMs(5 * minuteMs);
      link.announce({ wakeable: true });
      await becomes('online', isOnline);
      advanceMs(12 * minuteMs);
      await becomes('offline', isOffline);
    },
  },
];
