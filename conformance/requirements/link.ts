// Requirements of the room link.
import { requirementsOf } from './requirement.ts';

const section = '3, room link';
const timing = '3, client timing';

export const linkRequirements = [
  ...requirementsOf(section, ['link'], {
    'link.upgrade':
      'GET /v1/link upgrades with an operation’s headers: a present member of the push ' +
      'tier gets a link.',
    'link.refused-input':
      'An upgrade without a room or a conversation, or with a malformed header, is refused with 400.',
    'link.refused-credential':
      'Without a credential, or with an unknown one, it is refused with 401.',
    'link.refused-member': 'Whoever is no present member of the room is refused with 409.',
    'link.refused-version': 'A protocol version that is not served any more is refused with 426.',
    'link.order': 'The headers are judged before the credential, and that before the scope.',
    'link.push-only': 'Hosts of the pull tier, the website’s among them, have no link: 400.',
    'link.ping': 'The bare text ping is answered pong.',
    'link.frames': 'A Hub sends notify, state and pong, as text, and nothing else.',
    'link.other-frames': 'What is no frame changes nothing and ends nothing.',
    'link.state':
      'A state frame counts right after opening and on every change: presence follows ' +
      'wakeable and busy.',
    'link.notify': 'A new unread message is told as {t:"notify", unread, upTo, from}.',
    'link.no-body': 'A frame holds nothing of a body, of meta or of an intro.',
    'link.recipients': 'Recipients alone are told: not the sender, not the others in the room.',
    'link.counts':
      'A frame counts as inbox.remaining does: unread, the highest unread seq, senders by ' +
      'first unread message under their present names.',
    'link.newest': 'A frame tells the newest state; a burst may become fewer frames.',
    'link.deleted': 'Deletion of an unread message tells its recipients what is left.',
    'link.on-open': 'On every opening the link is told what is unread; nothing if nothing is.',
    'link.advisory': 'Who reads without having been told finds the same messages.',
    'link.superseded':
      'An older link of the same conversation is told superseded, once, and of mail no more.',
    'link.superseded-open': 'The Hub does not close a superseded link; operations go on working.',
    'link.one': 'Of links that one conversation opens at once, exactly one is told of mail.',
    'link.rebound':
      'A continuation sends rebound to the former conversation’s link, then closes it.',
    'link.not-in-room': 'Leaving and being removed send not_in_room, then close the link.',
    'link.room-deleted':
      'Deletion of the room sends not_in_room to all its links, then closes them.',
    'link.revoked': 'Logout sends revoked to the links of its credential, then closes them.',
  }),
  ...requirementsOf(section, ['sign-in'], {
    'link.forbidden': 'A device token as host kind website is refused with 403.',
    'link.revoked-device': 'Revocation of a device sends revoked to its links, then closes them.',
  }),
  ...requirementsOf(section, ['bridge'], {
    'link.client-report':
      'A client sends its state right after opening, on every change, and every 5 minutes.',
    'link.client-superseded':
      'After superseded a client stops announcing and closes, keeps its marker, and its ' +
      'operations go on working; but not for a link that it is itself replacing.',
    'link.client-end':
      'After rebound and not_in_room a client forgets its marker and does not reconnect; ' +
      'after revoked it is signed out.',
    'link.client-close-codes': 'The close codes 4001, 4002 and 4003 mean the same as the frames.',
  }),
  ...requirementsOf(timing, ['bridge'], {
    'link.client-handshake': 'A client gives an upgrade up after 15 s.',
    'link.client-ping':
      'A client pings every 60 s, and without any traffic within 10 s it takes the link for dead.',
    'link.client-reconnect': 'A client reconnects after 1, 2, 5, 15, 30 s, each × 0.75 to 1.25.',
    'link.client-renewal':
      'A client opens a new link after 105 to 115 minutes and closes the old one after that.',
    'link.client-operations':
      'A client waits 15 s for an operation and repeats it after 0.3, 1 and 3 s.',
  }),
] as const;
