// Operations on messages: saying, receiving, looking back, deleting (protocol, section 2).
import * as z from 'zod';
import { Address, MessageId } from '../ids.ts';
import { limits } from '../limits.ts';
import {
  HistoryMessage,
  HistoryView,
  MessageView,
  type Meta,
  Position,
  RecipientView,
  Unread,
} from '../nouns.ts';
import { optional, text } from '../text.ts';
import { defineOperation } from './define.ts';

/** `to` of a message to every other member present. */
export const wholeRoom = '@room';

const Recipients = z.union(
  [z.literal(wholeRoom), z.array(Address).max(limits.recipientsPerMessage)],
  {
    error:
      `expected "${wholeRoom}" or a list of at most ${limits.recipientsPerMessage} addresses ` +
      'such as henry/hub-refactor',
  },
);

const MetaHints = z.preprocess(
  (meta: Meta, { addIssue }) => {
    // A record has no such entry: it would be lost without a word.
    if (Object.hasOwn(Object(meta), '__proto__')) addIssue('__proto__ is no name for an entry');
    return meta;
  },
  z
    .record(text(1, limits.metaKeyCharacters), text(0, limits.metaValueCharacters))
    .refine((meta) => Object.keys(meta).length <= limits.metaEntries, {
      error: `expected at most ${limits.metaEntries} entries`,
    }),
);

/**
 * Says a message. The caller chooses the ID, so a repeat is told from a second message. The size of
 * the body is the Hub's to judge, after it has looked for a repeat (protocol, section 2, "send").
 */
export const send = defineOperation({
  name: 'send',
  scope: 'room',
  caller: 'member',
  input: () =>
    z.object({
      id: MessageId,
      to: Recipients.describe(
        'Addresses of the members who should act, "@room" for everyone present, or [] to leave ' +
          'it on record only. With replyTo, [] answers the sender, or everyone in a direct message.',
      ),
      body: z
        .string()
        .min(1, { error: 'expected at least 1 character' })
        .describe('The message itself, at most 64 KiB of text.'),
      dm: optional(z.boolean()).describe(
        'True lets only you and the recipients read it. A reply keeps the visibility of what it ' +
          'answers.',
      ),
      replyTo: optional(MessageId).describe('The ID of the message that this one answers.'),
      meta: optional(MetaHints),
    }),
  output: () => z.object({ id: MessageId, seq: Position, recipients: z.array(RecipientView) }),
  errors: ['no_such_member', 'no_such_message', 'limit_reached', 'rate_limited'],
});

/** The next batch of unread messages, oldest first; `upTo` is 0 when there is none. */
export const inbox = defineOperation({
  name: 'inbox',
  scope: 'room',
  caller: 'member',
  input: () => z.object({}),
  output: () =>
    z.object({
      messages: z.array(MessageView),
      upTo: Position,
      remaining: Unread.nullable(),
    }),
  errors: [],
});

/** Moves the reading position forward, never back and never past the newest message. */
export const read = defineOperation({
  name: 'read',
  scope: 'room',
  caller: 'member',
  input: () => z.object({ upTo: Position }),
  output: () => z.object({ readSeq: Position }),
  errors: [],
});

/** One page, oldest first, of what the caller may read; moves no position. */
export const history = defineOperation({
  name: 'history',
  scope: 'room',
  caller: 'member_or_observer',
  input: () =>
    z.object({
      /** Exclusive: the page ends with the newest message before this position. */
      before: optional(Position).describe(
        'Shows the page before this position, as the previous page named it; leave it out for ' +
          'the newest.',
      ),
      view: optional(HistoryView),
    }),
  output: () =>
    z.object({
      messages: z.array(HistoryMessage),
      nextBefore: Position.nullable(),
    }),
  errors: [],
});

/** Clears what a member of the caller's account said; the headers stay until they expire. */
export const deleteMessage = defineOperation({
  name: 'delete_message',
  scope: 'room',
  caller: 'member_or_observer',
  input: () => z.object({ id: MessageId }),
  output: () => z.object({}),
  errors: ['no_such_message'],
});
