// The operations' model, members: random rounds of coming, going, moving and speaking at once,
// through `execute` on the local table with all that goes wrong there, against a reference that is
// told by the log alone.
import { testSequences } from './operations/sequence-test.ts';

testSequences('comings and goings', {
  join: 5,
  leave: 4,
  rename: 4,
  continue: 4,
  say: 6,
  reply: 3,
  receive: 3,
  readAnywhere: 1,
  look: 2,
  deleteMessage: 1,
});
