// Mail behind more entries than one walk counts: too low a count is allowed, none at all is not.
import { expect, test } from 'vitest';
import { countLimit } from '../domain/unread.ts';
import { parseClock } from '../store/items.ts';
import { keys } from '../store/keys.ts';
import { type Fixture, makeFixture, members, rooms } from './room/fixture.ts';

const room = rooms.x;
const send = (fixture: Fixture, id: string) =>
  fixture.observer.call('send', members.alpha, room, { id, to: ['bob/beta'], body: id });

/** As many ticks of the room as one walk counts, with nothing in them for beta. */
function passTicks({ world: { table } }: Fixture): void {
  const clock = table.get(keys.clock(room)) ?? {};
  const { tick, lastExpiresAt } = parseClock(clock);
  for (let seq = tick + 1; seq <= tick + countLimit; seq += 1) {
    const times = { createdAt: 0, expiresAt: lastExpiresAt, prevExpiresAt: lastExpiresAt };
    table.write('test', {
      Put: {
        TableName: 'hub',
        Item: { ...keys.log(room, seq), kind: 'rename', from: 1, ...times },
      },
    });
  }
  table.write('test', {
    Put: { TableName: 'hub', Item: { ...clock, ...keys.clock(room), tick: tick + countLimit } },
  });
}

test('mail behind the limit of a walk is told of, and comes next', async () => {
  const fixture = await makeFixture();
  await send(fixture, 'm_0000000a');
  passTicks(fixture);
  await send(fixture, 'm_0000000b');
  const first = await fixture.observer.call('inbox', members.beta, room, {});
  expect(first?.messages.map(({ id }) => id)).toEqual(['m_0000000a']);
  expect(first?.remaining).toMatchObject({ unread: 1, from: ['alice/alpha'] });
  const second = await fixture.observer.call('inbox', members.beta, room, {});
  expect(second?.messages.map(({ id }) => id)).toEqual(['m_0000000b']);
  expect(second?.remaining).toBeNull();
});
