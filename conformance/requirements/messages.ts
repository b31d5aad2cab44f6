// Requirements of saying, receiving, looking back, deleting, and of what expires.
import { everywhere, httpOnly, requirementsOf, unseen } from './requirement.ts';

const send = '2, send';
const inbox = '2, inbox';
const history = '2, history';
const deletion = '2, delete_message';
const retention = '2, retention';

export const messageRequirements = [
  ...requirementsOf(send, httpOnly, {
    'send.repeat':
      'A known ID from the same member with the same content gets the first result; ' +
      'nobody is told twice.',
    'send.repeat-first': 'A repeat is recognized before anything else could refuse it.',
    'send.repeat-other': 'A known ID with other content, or from another member, is invalid_input.',
    'send.size-first': 'The body’s size is judged before the recipients.',
    'send.recipients-first': 'Recipients are judged before the message that is answered.',
    'send.meta': 'meta comes back with the message as it was sent.',
  }),
  ...requirementsOf(send, everywhere, {
    'send.sent': 'send gives id, seq and each recipient with its presence as of now.',
    'send.named': 'A room message reaches whom it names, and everyone in the room may read it.',
    'send.record': 'A message to nobody is on record only.',
    'send.dm': 'A dm is read by its sender and its recipients alone.',
    'send.room':
      '@room is every present member but the sender, at that instant; who comes later is none.',
    'send.unknown':
      'Unknown addresses are named together in one no_such_member, and nothing is sent.',
    'send.duplicates': 'Duplicates and the sender drop out of the recipients.',
    'send.room-dm': '@room as a dm, or in a reply to a dm, is invalid_input.',
    'send.reply-unknown':
      'A reply to no message of this room, or to a dm of others, is no_such_message.',
    'send.reply-visibility': 'A reply has the visibility of what it answers; dm is ignored on it.',
    'send.reply-default':
      'A reply to nobody goes to the sender of a room message, to all other participants ' +
      'of a dm still present.',
    'send.reply-explicit': 'Named recipients override where a reply goes.',
    'send.reply-record':
      'A reply to a room message of oneself or of someone gone is on record only.',
    'send.dm-alone': 'A dm without a present recipient is invalid_input.',
    'send.concurrent':
      'Sends at the same instant all succeed, each with a seq of its own, each delivered once.',
  }),

  ...requirementsOf(inbox, everywhere, {
    'inbox.order':
      'inbox gives unread messages addressed to the member, oldest first, and no others.',
    'inbox.empty': 'An empty inbox has upTo 0 and remaining null.',
    'inbox.upto': 'upTo is the seq of the batch’s last message.',
  }),
  ...requirementsOf(inbox, httpOnly, {
    'inbox.push-peeks': 'A push member gets the same batch until it calls read.',
    'inbox.pull-moves': 'A pull member’s position moves with the answer.',
    'inbox.pull-once': 'Concurrent calls of a pull member hand every message over exactly once.',
    'read.moves': 'read gives max(position, min(upTo, last seq)): never back, never past the end.',
    'read.form': 'upTo is a whole number that is not negative.',
  }),

  ...requirementsOf(history, everywhere, {
    'history.member': 'A member sees every room message and the dms of this stay, no other.',
    'history.pages':
      'Pages run oldest first; before is exclusive; nextBefore is the oldest seq shown, ' +
      'only if more exist.',
    'history.no-read': 'history moves no position.',
  }),
  ...requirementsOf(history, httpOnly, {
    'history.observer':
      'An observer sees every room message and the dms of its account’s members of any stay.',
    'history.owner': 'Owning a room shows no other dm.',
    'history.view-room': 'view room shows room messages only.',
    'history.view-correspondence': 'view correspondence shows what those members sent or received.',
    'history.filter-first': 'The view is applied before the page is cut.',
  }),

  ...requirementsOf(deletion, httpOnly, {
    'delete.clears':
      'delete_message clears body and meta at once and leaves the header with deletedAt.',
    'delete.inbox': 'A deleted message is out of every inbox and count.',
    'delete.no-return': 'A repeat of its send does not bring it back.',
    'delete.own':
      'Only the account that owns the sending member deletes a message; else forbidden.',
    'delete.unknown':
      'A message that does not exist, or that the caller may not read, is no_such_message.',
    'delete.repeat': 'Deleting again is no error.',
    'delete.intro': 'Deleting an intro blanks the member’s intro if it is the same text, else not.',
  }),

  ...requirementsOf(retention, everywhere, {
    'retention.invisible':
      'From the second it expires, after 30 days, a message is in no history, inbox or count.',
    'retention.reply': 'An expired message is not there to be answered.',
  }),
  ...requirementsOf(retention, unseen, {
    'retention.members': 'Intros and members that left go with the last message that names them.',
  }),
] as const;
