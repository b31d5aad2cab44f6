// Plays scenes on a stage of its own, reads everything that is left to read, and judges.
import type * as fc from 'fast-check';
import type { Scene } from './plays.ts';
import { promises } from './promises.ts';
import { type History, never, replay } from './replay.ts';
import { rules } from './rules.ts';
import { copyStage, type Role, receive, type Stage } from './stage.ts';
import type { Chaos } from './world.ts';

const hourMs = 3_600_000;
/** More batches than any play fills. */
const mostBatches = 20;

/** Everything that went wrong, as `<property>: <what>`. */
export async function rehearse(
  opening: Stage,
  scheduler: fc.Scheduler,
  seed: number,
  chaos: Chaos,
  scenes: readonly Scene[],
): Promise<string[]> {
  const stage = copyStage(opening, scheduler, seed, chaos);
  const { world } = stage;
  for (const { passHours, parts } of scenes) {
    world.passMs(passHours * hourMs);
    await world.run(
      parts.map(({ actor, steps }) => async () => {
        for (const step of steps) await step.run(stage, actor);
      }),
    );
  }
  const known = replay(world.table.commits, () => undefined);
  for (const role of presentRoles(known)) await drain(stage, role);
  return judge(stage);
}

function presentRoles({ rooms }: History): (Role & { room: string })[] {
  return [...rooms.values()].flatMap((room) =>
    [...room.stays.values()]
      .filter(({ tenures }) => tenures.at(-1)?.until === never)
      .map(({ member: { account, host, conversation, name } }) => ({
        ...{ account, host, conversation, as: name, room: room.id },
      })),
  );
}

async function drain(stage: Stage, { room, ...role }: Role & { room: string }): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch += 1) {
    if ((await receive(stage, role, room)) === 0) return;
  }
}

function judge({ world, observer, purged }: Stage): string[] {
  const found: string[] = [];
  const history = replay(world.table.commits, (moment) => {
    for (const [property, rule] of Object.entries(rules)) {
      for (const violation of rule(moment)) found.push(`${property}: ${violation}`);
    }
  });
  const faults = world.faults.map(({ fault = '' }) => fault);
  const items = world.table.items();
  const outcome = { history, observer, nowMs: world.nowMs(), faults, items, purged };
  for (const [property, check] of Object.entries(promises)) {
    for (const violation of check(outcome)) found.push(`${property}: ${violation}`);
  }
  return [...new Set(found)];
}
