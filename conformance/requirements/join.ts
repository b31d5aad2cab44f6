// Requirements of join: new members, repeats, continuation, and the website's member.
import { everywhere, httpOnly, requirementsOf } from './requirement.ts';

const section = '2, join';
const website = '2, website member';

export const joinRequirements = [
  ...requirementsOf(section, everywhere, {
    'join.joined':
      'join gives room, member, outcome, members, the latest page of history, unread and offline.',
    'join.intro': 'The intro is posted as a message of kind intro to nobody.',
    'join.present': 'A new member starts at the present: nothing said before is unread.',
    'join.name-proposed': 'A new member is named as proposed, as free text made a name.',
    'join.name-taken':
      'A name taken within the account gets -2, -3 and so on; other accounts do not matter.',
    'join.no-such-room': 'A code that opens no room is no_such_room.',
    'join.offline': 'offline lists the account’s other offline members, not the website’s.',
  }),
  ...requirementsOf(section, httpOnly, {
    'join.name-default': 'Without a usable name it is the repository, without one the host kind.',
    'join.other-room': 'A conversation that is in another room is refused as already_in_room.',
    'join.reused':
      'A conversation that is here already is reused: nothing changes, nothing is posted.',
    'join.reused-as':
      'A conversation that is here already and asks for another member is already_in_room.',
    'join.one-of-two': 'Of two joins of one conversation to two rooms at once one is refused.',
    'join.by-code': 'A join names exactly one of code and room; by room joins the website alone.',
    'continue.repoints':
      'as re-points a present member: conversation, host, workspace and intro change, ' +
      'unread mail follows.',
    'continue.no-post': 'A continuation posts no message.',
    'continue.former':
      'The former conversation is not_in_room at once, and free to join elsewhere.',
    'continue.reference': 'as takes the bare name or the address.',
    'continue.own': 'as of another account’s member, or of none, is no_such_member.',
    'continue.last-wins': 'Of two continuations the later one wins.',
    'continue.no-website': 'Website members are neither source nor target of as.',
    'rejoin.new':
      'Joining again after leaving makes a new member at the present; the dms of the ' +
      'former stay are not its own.',
  }),
  ...requirementsOf(section, ['link'], {
    'continue.disconnects': 'A continuation disconnects the former conversation’s process.',
  }),

  ...requirementsOf(website, httpOnly, {
    'website.by-room':
      'The website’s member joins by room ID if its account owns the room or has a ' +
      'member in it; else forbidden.',
    'website.one':
      'There is one website member per account and room, named website unless proposed otherwise.',
    'website.conversation': 'Its conversation is site; under any other the website is no member.',
    'website.many-rooms': 'It may be in any number of rooms at once.',
    'website.pull': 'It is a pull member without a link.',
    'website.mail': 'It sends, receives, replies and reads like any member.',
  }),
] as const;
