// Requirements of the room link.
import { requirementsOf } from './requirement.ts';

const section = '3, room link';

export const linkRequirements = [
  ...requirementsOf(section, ['link'], {
    'link.upgrade':
      'GET /v1/link upgrades with an operation’s headers; refused with 400, 401, 403, 409 or 426.',
    'link.notify':
      'A new unread message is told as {t:"notify", unread, upTo, from} without a body.',
    'link.on-open': 'On every opening one notify goes out if anything is unread.',
    'link.ping': 'The bare text ping is answered pong.',
    'link.state': 'A client’s state frame sets wakeable and busy.',
    'link.superseded':
      'An older link of the same conversation gets state superseded, is told nothing ' +
      'more, and is not closed.',
    'link.rebound': 'A continuation sends state rebound to the former conversation, then closes.',
    'link.not-in-room':
      'Leaving, removal and deletion of the room send state not_in_room, then close.',
    'link.revoked': 'Logout and revocation send state revoked, then close.',
    'link.other-frames': 'What is no frame is passed over.',
  }),
  ...requirementsOf(section, ['client'], {
    'link.client-timing':
      'A client opens within 15 s, pings every 60 s, reconnects after 1, 2, 5, 15, 30 s ' +
      'with jitter, renews at 105 to 115 minutes.',
    'link.client-end':
      'After rebound and not_in_room a client forgets its marker and does not reconnect; ' +
      'after superseded it only stops announcing.',
    'link.client-report':
      'A client sends its state right after opening, on every change, and every 5 minutes.',
  }),
] as const;
