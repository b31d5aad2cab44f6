// Runs one scenario on a copy of the fixture, reads all mail that is left, and judges the outcome.
import type * as fc from 'fast-check';
import { answerRules } from './answer-rules.ts';
import { rules } from './commit-rules.ts';
import { type Conversation, copyFixture, type Fixture, receive } from './fixture.ts';
import type { Phase } from './phases.ts';
import { type History, never, replay } from './replay.ts';
import type { Chaos } from './world.ts';

const hourMs = 3_600_000;
/** More batches than any scenario fills. */
const mostBatches = 20;

/** Everything that went wrong, as `<property>: <what>`. */
export async function runScenario(
  opening: Fixture,
  scheduler: fc.Scheduler,
  seed: number,
  chaos: Chaos,
  phases: readonly Phase[],
): Promise<string[]> {
  const fixture = copyFixture(opening, scheduler, seed, chaos);
  const { world } = fixture;
  for (const { passHours, processes } of phases) {
    world.passMs(passHours * hourMs);
    await world.run(
      processes.map(({ caller, steps }) => async () => {
        for (const step of steps) await step.run(fixture, caller);
      }),
    );
  }
  const known = replay(world.table.commits, () => undefined);
  for (const member of presentConversations(known)) await drain(fixture, member);
  return judge(fixture);
}

function presentConversations({ rooms }: History): (Conversation & { room: string })[] {
  return [...rooms.values()].flatMap((room) =>
    [...room.stays.values()]
      .filter(({ tenures }) => tenures.at(-1)?.until === never)
      .map(({ member: { account, host, conversation, name } }) => ({
        ...{ account, host, conversation, as: name, room: room.id },
      })),
  );
}

async function drain(
  fixture: Fixture,
  { room, ...conversation }: Conversation & { room: string },
): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch += 1) {
    if ((await receive(fixture, conversation, room)) === 0) return;
  }
}

function judge({ world, observer, purged }: Fixture): string[] {
  const found: string[] = [];
  const history = replay(world.table.commits, (moment) => {
    for (const [property, rule] of Object.entries(rules)) {
      for (const violation of rule(moment)) found.push(`${property}: ${violation}`);
    }
  });
  const faults = world.faults.map(({ fault = '' }) => fault);
  const items = world.table.items();
  const outcome = { history, observer, nowMs: world.nowMs(), faults, items, purged };
  for (const [property, check] of Object.entries(answerRules)) {
    for (const violation of check(outcome)) found.push(`${property}: ${violation}`);
  }
  return [...new Set(found)];
}
