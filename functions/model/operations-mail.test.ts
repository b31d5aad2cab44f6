// The operations' model, mail: random rounds of sending, reading, repeating and deleting at once,
// through `execute` on the local table with all that goes wrong there, against a reference that is
// told by the log alone.
import { testSequences } from './operations/sequence-test.ts';

testSequences('mail', {
  say: 10,
  reply: 6,
  receive: 6,
  readAnywhere: 3,
  repeat: 3,
  look: 2,
  deleteMessage: 3,
  join: 2,
  leave: 1,
});
