// The scenarios of the room's model: who meets whom over what.
import * as fc from 'fast-check';
import { everyConversation, everyMember, members, newcomers } from './fixture.ts';
import { type Phase, phases, processOf } from './phases.ts';
import {
  continueMember,
  deleteMessage,
  deleteRoom,
  joinRoom,
  leave,
  look,
  receiveMail,
  removeMember,
  rename,
  send,
  sendShared,
  sweep,
  takeBack,
} from './steps.ts';

/** What happens, and how many variants of it an ordinary test run tries. */
export interface Scenario {
  readonly phases: fc.Arbitrary<Phase[]>;
  readonly runs: number;
}

const { alpha, beta, gamma, delta } = members;
const { zeta, eta, iota, site } = newcomers;

/** A room keeps messages for a day: before, at, and long after that. */
const aroundExpiry = [0, 13, 23.9995, 24, 60];

export const scenarios = {
  'mail, sent and read at once by two processes of each': {
    phases: phases(
      fc.oneof(
        processOf([alpha, delta], [[1, send]], 4),
        processOf([beta, gamma], [[1, receiveMail]], 6),
      ),
      { maxProcesses: 6 },
    ),
    runs: 150,
  },
  'two processes that send under one message ID': {
    phases: phases(
      processOf(
        [alpha, beta, delta],
        [
          [3, sendShared],
          [1, receiveMail],
          [1, rename],
        ],
      ),
      { maxPhases: 1 },
    ),
    runs: 100,
  },
  'leave against rename against continuation': {
    phases: phases(
      fc.oneof(
        processOf(
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
        processOf(
          [zeta, eta],
          [
            [1, joinRoom],
            [4, continueMember],
            [1, receiveMail],
          ],
          2,
        ),
      ),
      { maxPhases: 1, maxProcesses: 4 },
    ),
    runs: 250,
  },
  'conversations that join two rooms, twice at once': {
    phases: phases(
      processOf(
        [zeta, eta, beta, iota],
        [
          [3, joinRoom],
          [2, leave],
          [2, continueMember],
        ],
      ),
    ),
    runs: 100,
  },
  'rooms around and after their retention, swept in any order': {
    phases: phases(
      processOf(everyMember, [
        [3, send],
        [2, receiveMail],
        [2, sweep],
        [1, leave],
        [1, deleteMessage],
        [1, look],
      ]),
      { maxPhases: 4, maxProcesses: 3, hours: aroundExpiry },
    ),
    runs: 150,
  },
  'deletion of messages against reading': {
    phases: phases(
      fc.oneof(
        processOf(
          [alpha, delta],
          [
            [3, takeBack],
            [1, send],
            [1, deleteMessage],
          ],
          4,
        ),
        processOf(
          [beta, gamma],
          [
            [4, receiveMail],
            [1, look],
          ],
          4,
        ),
      ),
      { maxProcesses: 5 },
    ),
    runs: 100,
  },
  'the website beside an agent of its account': {
    phases: phases(
      processOf(
        [site, alpha],
        [
          [2, send],
          [3, joinRoom],
          [3, receiveMail],
          [1, look],
          [2, leave],
        ],
      ),
      { maxProcesses: 3 },
    ),
    runs: 80,
  },
  'purge against commits': {
    phases: phases(
      processOf(
        everyConversation,
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
      { maxPhases: 3, hours: [0, 0, 60] },
    ),
    runs: 120,
  },
  'everything at once': {
    phases: phases(
      processOf(everyConversation, [
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
    runs: 120,
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
