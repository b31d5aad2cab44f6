// The rules of a room, each with what the code would be without it. A rule that can be taken away
// with every scenario still going well would be no rule, or would not be tested.
import type { ScenarioName } from '../room/scenarios.ts';
import type { Mutant } from './mutant-plugin.ts';

interface RoomMutant extends Mutant {
  /** The scenario that has to go wrong. */
  readonly test: ScenarioName;
}

const mail = 'mail, sent and read at once by two processes of each';
const roster = 'leave against rename against continuation';

export const roomMutants = {
  'a commit needs the clock as it was read': {
    patches: [
      {
        file: 'store/change-room.ts',
        find: "{ expression: '#tick = :n AND attribute_not_exists(deletedAt)', values: { ':n': clock.tick } },",
        put: "{ expression: 'attribute_not_exists(deletedAt)' },",
      },
    ],
    test: mail,
  },
  'a deleted room takes no commit': {
    patches: [
      {
        file: 'store/change-room.ts',
        find: "'#tick = :n AND attribute_not_exists(deletedAt)'",
        put: "'#tick = :n'",
      },
    ],
    test: 'purge against commits',
  },
  'a walk ends before a missing tick': {
    patches: [
      {
        file: 'store/log.ts',
        find: "if (isHole) return { entries, upTo, end: 'torn' };",
        put: '',
      },
    ],
    test: mail,
  },
  'a batch ends before a body that is not there yet': {
    patches: [
      {
        file: 'operations/message-views.ts',
        find: 'return entry.deletedAt === undefined && entry.id !== undefined && !bodies.has(entry.id);',
        put: 'return false;',
      },
    ],
    test: mail,
  },
  'what expired is no missing tick': {
    patches: [
      {
        file: 'store/log.ts',
        find: 'entry.seq !== upTo + 1 && !isExpired(entry.prevExpiresAt, table.nowMs())',
        put: 'entry.seq !== upTo + 1',
      },
    ],
    test: 'rooms around and after their retention, swept in any order',
  },
  'a batch is consumed under a request token': {
    patches: [
      {
        file: 'store/positions.ts',
        find: "import { transact, updateItem } from './write.ts';",
        put: `import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refusedCondition } from './failures.ts';
import { updateItem } from './write.ts';
const plainly = async (table, _deadline, [write]) => {
  try {
    await table.client.send(new UpdateCommand(write.member(table.name).Update));
    return new Map();
  } catch (error) {
    if (refusedCondition(error) === undefined) throw error;
    return new Map([[write.name, { code: 'ConditionalCheckFailed' }]]);
  }
};`,
      },
      {
        file: 'store/positions.ts',
        find: 'await transact(table, deadline, [',
        put: 'await plainly(table, deadline, [',
      },
    ],
    test: mail,
  },
  'a continuation ends what the former conversation has under way': {
    patches: [
      {
        file: 'store/positions.ts',
        find: "'epoch = :epoch AND attribute_not_exists(hasLeft)'",
        put: "'(epoch = :epoch OR epoch <> :epoch) AND attribute_not_exists(hasLeft)'",
      },
      {
        file: 'operations/stay.ts',
        find: ' && cursor.epoch === seat.epoch',
        put: '',
      },
    ],
    test: roster,
  },
  'a repeat is the same message, not only the same ID': {
    patches: [
      {
        file: 'operations/send.ts',
        find: 'if (known.room === seat.room && known.from === seat.no && known.hash === hash) return known;',
        put: 'return known;',
      },
    ],
    test: 'two processes that send under one message ID',
  },
  'a conversation row is bound as it was read': {
    patches: [
      {
        file: 'store/conversations.ts',
        find: '    unchanged(before),',
        put: '',
      },
    ],
    test: 'conversations that join two rooms, twice at once',
  },
  'a stay that is not visible yet has not ended': {
    patches: [
      {
        file: 'operations/join.ts',
        find: 'if (isOver || cursor?.hasLeft === true) return;',
        put: 'if (isOver || cursor === undefined || cursor.hasLeft) return;',
      },
    ],
    test: 'conversations that join two rooms, twice at once',
  },
  'a member is changed as it was read': {
    patches: [
      {
        file: 'store/members.ts',
        find: 'function asRead({ name, host, conversation }: Member): Condition {',
        put: `function asRead({ name, host, conversation }: Member): Condition {
  if (name) return { expression: 'attribute_exists(pk)' };`,
      },
    ],
    test: roster,
  },
  'who changes another member is held to its own stay': {
    patches: [
      {
        file: 'operations/stay.ts',
        find: "return seat.kind === 'member' && seat.no !== no ? [checkStay(seat)] : [];",
        put: 'return [];',
      },
    ],
    test: roster,
  },
  'a tombstone is no mail, whichever half of it is visible': {
    patches: [
      {
        file: 'operations/mail.ts',
        find: 'return isDeleted || isTorn',
        put: 'return isTorn',
      },
    ],
    test: 'deletion of messages against reading',
  },
} as const satisfies Record<string, RoomMutant>;
