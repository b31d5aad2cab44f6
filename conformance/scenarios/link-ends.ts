// Scenarios of two links of one conversation, and of how the Hub ends a link.
import assert from 'node:assert/strict';
import type { LinkEnd } from '../../protocol/frames.ts';
import { newHandle } from '../local-accounts.ts';
import { refused } from '../refused.ts';
import { type RoomLink, UpgradeRefused } from '../room-links.ts';
import { overLink, type Scenario } from '../scenario.ts';
import { type LinkWorld, meet, observer, type Seat } from '../world.ts';

const isEnd = (link: LinkEnd) => (frame: RoomLink['frames'][number]) =>
  frame.t === 'state' && frame.link === link;

/** Asserts that the link is told so, and then closed. */
async function endsAs(end: LinkEnd, link: RoomLink): Promise<void> {
  await link.hears(end, isEnd(end));
  await link.closes();
}

/** Asserts that the conversation cannot open a link any more. */
async function staysOut({ openLink }: LinkWorld, seat: Seat, status = 409): Promise<void> {
  await assert.rejects(openLink(seat), new UpgradeRefused(status));
}

export const linkEndScenarios: readonly Scenario<LinkWorld>[] = [
  {
    title: 'an older link is told once that it is superseded, is told no mail, and stays open',
    cites: ['link.superseded', 'link.superseded-open', 'link.frames'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { call, listen, say } = world;
      const { ann, ben } = await meet(world);
      const older = await listen(ben);
      await say(ann, { to: [ben.address] });
      await older.hearsOf(1);
      const newer = await listen(ben);
      await older.hears('superseded', isEnd('superseded'));
      await newer.hearsOf(1);
      // What was on its way to it before is there once the answer is.
      await older.ping();
      older.forget();
      older.announce({ wakeable: true });
      for (let unread = 2; unread <= 4; unread += 1) {
        await say(ann, { to: [ben.address] });
        await newer.hearsOf(unread);
      }
      await older.ping();
      assert.deepEqual(older.frames, []);
      assert.ok(older.isOpen && newer.isOpen);
      assert.ok(newer.frames.every(({ t }) => t === 'notify'));
      assert.equal((await call('inbox', ben, {})).messages.length, 4);
    },
  },
  {
    title: 'closing a superseded link leaves the newer one as it is',
    cites: ['link.superseded'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say } = world;
      const { ann, ben } = await meet(world);
      const older = await listen(ben);
      const newer = await listen(ben);
      await older.hears('superseded', isEnd('superseded'));
      await older.close();
      for (let unread = 1; unread <= 2; unread += 1) {
        await say(ann, { to: [ben.address] });
        await newer.hearsOf(unread);
      }
    },
  },
  {
    title: 'of links opened at once exactly one is told of mail, and each other one why not',
    cites: ['link.one', 'link.superseded'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say } = world;
      const { ann, ben } = await meet(world);
      const links = await Promise.all(Array.from({ length: 4 }, () => listen(ben)));
      const superseded = links.map((link) =>
        link.hears('superseded', isEnd('superseded')).then(
          () => true,
          () => false,
        ),
      );
      const told = links.map((link) => link.hears('mail', ({ t }) => t === 'notify'));
      // All but one of them end by being told; that one is what the mail reaches.
      await allButOne(superseded);
      await say(ann, { to: [ben.address] });
      await Promise.any(told);
      await say(ann, { to: [ben.address] });
      await Promise.any(links.map((link) => link.hearsOf(2)));
      const kinds = links.map(({ frames }) => [...new Set(frames.map(({ t }) => t))].join());
      assert.deepEqual(kinds.sort(), ['notify', 'state', 'state', 'state']);
    },
  },
  {
    title: 'a continuation ends the former conversation’s link, and the mail follows',
    cites: ['link.rebound', 'continue.disconnects', 'link.on-open'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, join, say, bob } = world;
      const { room, ann, ben } = await meet(world);
      const former = await listen(ben);
      await say(ann, { to: [ben.address] });
      await former.hearsOf(1);
      const next = await join(bob, room, { as: 'ben', host: 'claude' });
      await endsAs('rebound', former);
      await staysOut(world, ben);
      const link = await listen(next);
      await link.hearsOf(1);
      await say(ann, { to: [ben.address] });
      await link.hearsOf(2);
    },
  },
  {
    title: 'leaving and being removed end the link, and no other',
    cites: ['link.not-in-room', 'link.frames'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { call, listen, say, alice } = world;
      const { room, ann, ben, cat } = await meet(world);
      const [annLink, benLink, catLink] = [await listen(ann), await listen(ben), await listen(cat)];
      await call('leave', ben, {});
      await endsAs('not_in_room', benLink);
      await call('leave', observer(alice, room), { member: cat.address });
      await endsAs('not_in_room', catLink);
      for (const seat of [ben, cat]) {
        await staysOut(world, seat);
        await refused('not_in_room', call('inbox', seat, {}));
      }
      const again = await world.join(world.bob, room, { conversation: ben.conversation });
      const benAgain = await listen(again);
      await say(again, { to: [ann.address] });
      await annLink.hearsOf(1);
      await say(ann, { to: [again.address] });
      await benAgain.hearsOf(1);
      assert.equal(annLink.news.length, 1);
    },
  },
  {
    title: 'deleting the room ends every link in it',
    cites: ['link.room-deleted'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { call, listen, alice } = world;
      const { room, ann, ben, cat } = await meet(world);
      const links = [await listen(ann), await listen(ben), await listen(cat)];
      await call('delete_room', { account: alice }, { room: room.id });
      for (const link of links) await endsAs('not_in_room', link);
      await staysOut(world, ben);
    },
  },
  {
    title: 'logging out ends the links of that credential and refuses new ones',
    cites: ['link.revoked', 'link.refused-credential'],
    bindings: overLink,
    needs: ['new-accounts'],
    async play(world) {
      const { call, listen, join, newAccount, newRoom, alice } = world;
      const room = await newRoom(alice);
      const guest = await newAccount(newHandle());
      const [seat, other] = [await join(guest, room), await join(guest, room)];
      const ann = await listen(await join(alice, room));
      const links = [await listen(seat), await listen(other)];
      await call('logout', { account: guest }, {});
      for (const link of links) await endsAs('revoked', link);
      await staysOut(world, seat, 401);
      await ann.ping();
    },
  },
];

/** Resolves when all but one of them are true; fails if one of those is not. */
function allButOne(outcomes: readonly Promise<boolean>[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = outcomes.length - 1;
    for (const outcome of outcomes) {
      void outcome.then((isTrue) => {
        if (!isTrue) return reject(new Error(`${missing} links were not told`));
        missing -= 1;
        if (missing === 0) resolve();
      });
    }
  });
}
