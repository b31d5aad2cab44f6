// The plays of the room's model: who meets whom over what, and how much goes wrong meanwhile.
import * as fc from 'fast-check';
import {
  continueMember,
  deleteMessage,
  deleteRoom,
  everybody,
  everyMember,
  joinRoom,
  leave,
  look,
  part,
  receiveMail,
  removeMember,
  rename,
  type Scene,
  scenes,
  send,
  sendShared,
  sweep,
  takeBack,
} from './plays.ts';
import { members, newcomers } from './stage.ts';

/** What is played, and how often in an ordinary test run. */
export interface Play {
  readonly scenes: fc.Arbitrary<Scene[]>;
  readonly runs: number;
}

const { alpha, beta, gamma, delta } = members;
const { zeta, eta, iota, site } = newcomers;

/** A room keeps messages for a day: before, at, and long after that. */
const aroundExpiry = [0, 13, 23.9995, 24, 60];

export const repertoire = {
  'mail, sent and read at once by two processes of each': {
    scenes: scenes(
      fc.oneof(part([alpha, delta], [[1, send]], 4), part([beta, gamma], [[1, receiveMail]], 6)),
      { maxParts: 6 },
    ),
    runs: 200,
  },
  'two processes that send under one message ID': {
    scenes: scenes(
      part(
        [alpha, beta, delta],
        [
          [3, sendShared],
          [1, receiveMail],
          [1, rename],
        ],
      ),
      { maxScenes: 1 },
    ),
    runs: 150,
  },
  'leave against rename against continuation': {
    scenes: scenes(
      fc.oneof(
        part(
          [beta, delta],
          [
            [1, send],
            [4, rename],
            [3, leave],
            [2, removeMember],
            [1, receiveMail],
          ],
          2,
        ),
        part(
          [zeta, eta],
          [
            [1, joinRoom],
            [4, continueMember],
            [1, receiveMail],
          ],
          2,
        ),
      ),
      { maxScenes: 1, maxParts: 4 },
    ),
    runs: 300,
  },
  'conversations that join two rooms, twice at once': {
    scenes: scenes(
      part(
        [zeta, eta, beta, iota],
        [
          [3, joinRoom],
          [2, leave],
          [2, continueMember],
        ],
      ),
    ),
    runs: 150,
  },
  'rooms around and after their retention, swept in any order': {
    scenes: scenes(
      part(everyMember, [
        [3, send],
        [2, receiveMail],
        [2, sweep],
        [1, leave],
        [1, deleteMessage],
        [1, look],
      ]),
      { maxScenes: 4, maxParts: 3, hours: aroundExpiry },
    ),
    runs: 200,
  },
  'deletion of messages against reading': {
    scenes: scenes(
      fc.oneof(
        part(
          [alpha, delta],
          [
            [3, takeBack],
            [1, send],
            [1, deleteMessage],
          ],
          4,
        ),
        part(
          [beta, gamma],
          [
            [4, receiveMail],
            [1, look],
          ],
          4,
        ),
      ),
      { maxParts: 5 },
    ),
    runs: 150,
  },
  'the website beside an agent of its account': {
    scenes: scenes(
      part(
        [site, alpha],
        [
          [2, send],
          [3, joinRoom],
          [3, receiveMail],
          [1, look],
          [2, leave],
        ],
      ),
      { maxParts: 3 },
    ),
    runs: 100,
  },
  'purge against commits': {
    scenes: scenes(
      part(
        everybody,
        [
          [3, send],
          [2, receiveMail],
          [2, deleteRoom],
          [2, leave],
          [2, sweep],
          [2, joinRoom],
          [1, continueMember],
          [1, rename],
        ],
        2,
      ),
      { maxScenes: 3, hours: [0, 0, 60] },
    ),
    runs: 150,
  },
  'everything at once': {
    scenes: scenes(
      part(everybody, [
        [3, send],
        [2, receiveMail],
        [1, look],
        [1, rename],
        [1, leave],
        [1, joinRoom],
        [1, continueMember],
        [1, removeMember],
        [1, deleteMessage],
      ]),
    ),
    runs: 150,
  },
} as const satisfies Record<string, Play>;

export type PlayName = keyof typeof repertoire;
