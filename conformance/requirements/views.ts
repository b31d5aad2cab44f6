// Requirements on what results show: presence, members, messages, rooms, unread mail.
import { everywhere, httpOnly, requirementsOf } from './requirement.ts';

const section = '2, views';

export const viewRequirements = [
  ...requirementsOf(section, httpOnly, {
    'presence.push-offline': 'A push member without a link is offline and not wakeable.',
    'presence.activity-push': 'lastActiveAt of a push member moves by join, send, inbox and read.',
    'presence.activity-grain': 'lastActiveAt moves at most once a minute.',
    'presence.website':
      'lastActiveAt of the website member moves by join, send, inbox and read, never by observing.',
    'view.observed-member':
      'For observers a member says whether it is owned; for members it does not.',
    'view.observed-message':
      'For observers a message of the history says whether it is owned, and the state of ' +
      'each recipient.',
    'view.from-host': 'fromHost is the host of the sender when it was sent.',
    'state.replied': 'A recipient that answered is replied, whatever else holds.',
    'state.read': 'A recipient whose position passed the message is read, also after it left.',
    'state.left': 'A recipient that left without reading is left.',
    'state.unread': 'Any other recipient is unread.',
    'state.stay': 'States belong to the exact stay: a rejoin under the same name changes none.',
  }),
  ...requirementsOf(section, everywhere, {
    'presence.pull-online':
      'A pull member is online for 10 minutes after its last activity, and never wakeable.',
    'view.member':
      'A member shows address, host, workspace, intro, joinedAt in ms, its presence, and ' +
      'whether it is me.',
    'view.unread-from-me':
      'unreadFromMe counts the caller’s messages that the member has not read.',
    'view.to-list': 'to[] is the full list of recipients, also of a message to @room.',
    'view.current-names': 'Messages show members under the names they have now.',
    'view.unread':
      'remaining has the count, the highest unread seq, and senders by first unread message.',
    'view.room': 'A room in a list has name, description and role; its code only for the owner.',
  }),
  ...requirementsOf(section, [...everywhere, 'link'], {
    'presence.online-now': 'While a member is online its lastActiveAt is now.',
  }),
  ...requirementsOf(section, ['mcp'], {
    'presence.activity-pull':
      'lastActiveAt of a connector’s member moves by every call as that member.',
  }),
  ...requirementsOf(section, ['link'], {
    'presence.push-online':
      'A push member is online while a fresh open link last said wakeable: true.',
    'presence.activity-link':
      'lastActiveAt of a push member moves by link open and close and by state frames.',
  }),
] as const;
