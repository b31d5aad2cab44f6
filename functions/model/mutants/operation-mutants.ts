// What the operations' model is there to see, each as the code would be if it were broken. Run by
// hand (`main.ts --without`): it takes a real table and a while.
import type { Mutant } from './mutant-plugin.ts';

const mail = 'sequences of mail';
const roster = 'sequences of comings and goings';

export const operationMutants = {
  'lost: positions end before what is not read': {
    patches: [
      {
        file: 'operations/mail.ts',
        find: 'skippedTo = first === undefined ? walk.upTo : first.seq - 1;',
        put: 'skippedTo = walk.upTo;',
      },
      {
        file: 'operations/inbox.ts',
        find: 'const worthSkipping = 120;',
        put: 'const worthSkipping = 1;',
      },
      {
        file: 'operations/inbox.ts',
        find: 'if (batch.entries.length === 0) {',
        put: 'if (batch.entries.length < 2) {',
      },
    ],
    test: mail,
  },
  'doubled: a batch goes to who moves the position': {
    patches: [
      {
        file: 'store/positions.ts',
        find: '`#readSeq = :from AND ',
        put: '`(#readSeq = :from OR #readSeq <> :from) AND ',
      },
    ],
    test: mail,
  },
  'stranger: a dm is read by who took part': {
    patches: [
      {
        file: 'domain/visibility.ts',
        find: 'if (!entry.dm) return true;',
        put: 'return true;',
      },
    ],
    test: mail,
  },
  'positions: read never moves back': {
    patches: [
      {
        file: 'store/positions.ts',
        find: '`#readSeq < :seq AND ',
        put: '`(#readSeq < :seq OR #readSeq >= :seq) AND ',
      },
    ],
    test: mail,
  },
  'counts: what was deleted is unread no more': {
    patches: [
      {
        file: 'domain/unread.ts',
        find: 'entry.deletedAt === undefined &&',
        put: '',
      },
    ],
    test: mail,
  },
  'states: an answer counts more than reading': {
    patches: [
      {
        file: 'domain/recipients.ts',
        find: "if (recipient.hasReplied) return 'replied';",
        put: '',
      },
    ],
    test: mail,
  },
  'tombstones: a deleted body is gone': {
    patches: [
      {
        file: 'operations/message-views.ts',
        find: 'const isLive = deletedAt === undefined;',
        put: 'const isLive = true;',
      },
      {
        file: 'store/messages.ts',
        find: "remove: ['body', 'meta', 'packed'],",
        put: '',
      },
      {
        file: 'operations/message-views.ts',
        find: 'id === undefined || deletedAt !== undefined ? [] : [id],',
        put: 'id === undefined ? [] : [id],',
      },
    ],
    test: mail,
  },
  'repeats: an ID is said once': {
    patches: [
      {
        file: 'store/messages.ts',
        find: "'attribute_not_exists(pk) OR expiresAt <= :nowS'",
        put: "'attribute_not_exists(pk) OR expiresAt <= :nowS OR expiresAt > :nowS'",
      },
    ],
    test: mail,
  },
  'recipients: the room is everybody who is here': {
    patches: [
      {
        file: 'domain/recipients.ts',
        find: 'return member.no < seq && (member.leftTick === undefined || seq < member.leftTick);',
        put: 'return member.no < seq;',
      },
    ],
    test: roster,
  },
  'roster: two members never share a name': {
    patches: [
      {
        file: 'operations/rename.ts',
        find: '.size > 0',
        put: '.size > 1',
      },
      {
        file: 'store/members.ts',
        find: "const isFree: Condition = { expression: 'attribute_not_exists(pk)' };",
        put: "const isFree: Condition = { expression: 'attribute_not_exists(never)' };",
      },
    ],
    test: roster,
  },
  'dense log: a commit needs the clock it read': {
    patches: [
      {
        file: 'store/change-room.ts',
        find: "{ expression: '#tick = :n AND attribute_not_exists(deletedAt)', values: { ':n': clock.tick } },",
        put: "{ expression: 'attribute_not_exists(deletedAt)' },",
      },
    ],
    test: roster,
  },
} as const satisfies Record<string, Mutant>;
