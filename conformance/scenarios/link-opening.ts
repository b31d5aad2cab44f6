// Scenarios of opening a room link: who is let in, what refuses an upgrade, what may be said.
import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import { type HeaderChange, UpgradeRefused } from '../room-links.ts';
import { overLink, type Scenario } from '../scenario.ts';
import { type LinkWorld, newConversation, newId, type Seat } from '../world.ts';

/** Asserts the status that refuses each upgrade. */
async function refusedWith(status: number, ...upgrades: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.all(
    upgrades.map((upgrade) =>
      upgrade.then(
        () => 'opened',
        (error: unknown) => (error instanceof UpgradeRefused ? error.status : error),
      ),
    ),
  );
  assert.deepEqual(
    outcomes,
    outcomes.map(() => status),
  );
}

/** Texts that a client may send by mistake, and that name routes and frames they are not. */
const noFrames = [
  'hello',
  '{',
  '[]',
  'null',
  '7',
  '"ping"',
  '{"t":"ping"}',
  '{"t":"notify","unread":1,"upTo":1,"from":[]}',
  '{"t":"state"}',
  '{"t":"state","wakeable":"yes"}',
  '{"t":"state","wakeable":false,"busy":"no"}',
  '{"t":"state","link":"revoked"}',
  '{"t":"$connect"}',
  '{"t":"$disconnect"}',
  '{"t":"$default"}',
  '{"t":["state"],"wakeable":false}',
  'x'.repeat(30_000),
];

async function presenceOf({ call }: LinkWorld, seat: Seat) {
  const { members } = await call('members', seat, {});
  return members.find(({ me }) => me);
}

export const linkOpeningScenarios: readonly Scenario<LinkWorld>[] = [
  {
    title: 'a member of the push tier opens its link with the headers of an operation',
    cites: ['link.upgrade', 'link.ping', 'link.frames'],
    bindings: overLink,
    async play({ openLink, newRoom, join, alice }) {
      const room = await newRoom(alice);
      for (const host of ['claude', 'codex', 'opencode'] as const) {
        const link = await openLink(await join(alice, room, { host }));
        for (let pings = 1; pings <= 3; pings += 1) await link.ping();
        assert.deepEqual(link.texts, ['pong', 'pong', 'pong']);
      }
      const ann = await join(alice, room);
      for (const version of [undefined, '2', '999']) {
        await (await openLink(ann, { 'tandry-protocol': version })).ping();
      }
    },
  },
  {
    title: 'an upgrade without room, conversation, or with a malformed header is refused with 400',
    cites: ['link.refused-input', 'link.order'],
    bindings: overLink,
    async play({ openLink, newRoom, join, alice }) {
      const ann = await join(alice, await newRoom(alice));
      const both = { 'tandry-host': undefined, 'tandry-conversation': undefined };
      const changes: HeaderChange[] = [
        { 'tandry-room': undefined },
        both,
        { 'tandry-host': undefined },
        { 'tandry-conversation': undefined },
        { 'tandry-room': 'lobby' },
        { 'tandry-host': 'emacs' },
        { 'tandry-conversation': 'two words' },
        { 'tandry-protocol': 'one' },
        { 'tandry-protocol': '-1' },
        // Headers are judged before the credential.
        { 'tandry-room': 'lobby', authorization: undefined },
      ];
      await refusedWith(400, ...changes.map((change) => openLink(ann, change)));
    },
  },
  {
    title: 'an upgrade without a credential, or with an unknown one, is refused with 401',
    cites: ['link.refused-credential', 'link.order'],
    bindings: overLink,
    async play({ openLink, newRoom, join, alice }) {
      const ann = await join(alice, await newRoom(alice));
      const credentials = [undefined, 'Bearer nobody', 'Bearer a.b.c', 'Basic YTpi'];
      const unknown = credentials.map((authorization) => openLink(ann, { authorization }));
      // The credential is judged before the scope.
      const change = { authorization: undefined, 'tandry-room': undefined };
      await refusedWith(401, ...unknown, openLink(ann, change));
    },
  },
  {
    title: 'a protocol version below the oldest refuses the upgrade with 426',
    cites: ['link.refused-version', 'link.order'],
    bindings: overLink,
    async play({ openLink, newRoom, join, alice }) {
      const ann = await join(alice, await newRoom(alice));
      const old = { 'tandry-protocol': '0' };
      await refusedWith(
        426,
        openLink(ann, old),
        openLink(ann, { ...old, authorization: undefined }),
      );
    },
  },
  {
    title: 'whoever is no present member of the room is refused with 409',
    cites: ['link.refused-member'],
    bindings: overLink,
    needs: ['two-accounts'],
    async play({ call, openLink, newRoom, join, alice, bob }) {
      const room = await newRoom(alice);
      const [ann, gone] = [await join(alice, room), await join(alice, room)];
      const other = await newRoom(alice);
      await call('leave', gone, {});
      await refusedWith(
        409,
        openLink({ ...ann, conversation: newConversation() }),
        openLink({ ...ann, host: 'claude' }),
        openLink({ ...ann, account: bob }),
        openLink({ ...ann, room: other.id }),
        openLink({ ...ann, room: newId('r_') }),
        openLink(gone),
      );
      await openLink(ann);
    },
  },
  {
    title: 'pull hosts and the website have no link',
    cites: ['link.push-only'],
    bindings: overLink,
    async play({ openLink, newRoom, join, joinAsWebsite, alice }) {
      const room = await newRoom(alice);
      const seats = [await joinAsWebsite(alice, room)];
      for (const host of ['claude-web', 'chatgpt-web', 'web'] as const) {
        seats.push(await join(alice, room, { host }));
      }
      await refusedWith(400, ...seats.map((seat) => openLink(seat)));
    },
  },
  {
    title: 'a refused upgrade leaves the link that is open as it was',
    cites: ['link.refused-credential', 'link.superseded'],
    bindings: overLink,
    async play(world) {
      const { openLink, listen, newRoom, join, say, alice } = world;
      const room = await newRoom(alice);
      const [ann, ben] = [await join(alice, room), await join(alice, room)];
      const link = await listen(ben);
      await refusedWith(401, openLink(ben, { authorization: undefined }));
      await refusedWith(400, openLink(ben, { 'tandry-protocol': 'x' }));
      const { seq } = await say(ann, { to: [ben.address] });
      await link.hearsOf(1, seq);
      assert.equal(link.news.length, 1);
    },
  },
  {
    title: 'what is no frame changes nothing and ends nothing',
    cites: ['link.other-frames', 'link.frames'],
    bindings: overLink,
    async play(world) {
      const { openLink, newRoom, join, say, alice } = world;
      const room = await newRoom(alice);
      const [ann, ben] = [await join(alice, room), await join(alice, room)];
      const link = await openLink(ben);
      link.announce({ wakeable: true });
      await eventually(
        'online',
        () => presenceOf(world, ben),
        (it) => it?.state === 'online',
      );
      for (const text of noFrames) link.send(text);
      link.send(new TextEncoder().encode('{"t":"state","wakeable":false}'));
      const { seq } = await say(ann, { to: [ben.address] });
      await link.hearsOf(1, seq);
      // Handled after all of them: frames of one link may be handled side by side, not minutes
      // late.
      link.announce({ wakeable: true, busy: true });
      const view = await eventually(
        'busy',
        () => presenceOf(world, ben),
        (it) => it?.busy === true,
      );
      assert.equal(view?.state, 'online');
      assert.equal(link.isOpen, true);
    },
  },
];
