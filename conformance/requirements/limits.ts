// Requirements on identifiers and limits: what is accepted, at most how much, how fast.
import { everywhere, httpOnly, requirementsOf, unseen } from './requirement.ts';

const section = '2, identifiers and limits';

export const limitRequirements = [
  ...requirementsOf(section, httpOnly, {
    'ids.accepted': 'IDs are their prefix and 8 to 40 of 0-9a-z; any other is invalid_input.',
    'ids.made':
      'IDs the Hub makes have 26 characters of lowercase Crockford base 32 after the prefix.',
    'ids.conversation': 'A conversation ID has 1 to 200 visible ASCII characters.',
    'code.compared': 'A code is compared upper-cased and without other characters.',
    'code.length': 'A code is accepted with 4 to 32 characters.',
    'handle.form': 'A handle is [a-z][a-z0-9_]{2,23}; any other is invalid_input.',
    'handle.reserved': 'Reserved words are refused as handles.',
    'limit.workspace': 'Repository and branch of a workspace have at most 200 characters each.',
    'bucket.retry-free': 'A repeat of the same send costs nothing.',
    'bucket.rejoin': 'Rejoining from the same conversation keeps the bucket.',
    'limit.meta': 'meta has at most 8 entries of 64 characters key and 256 characters value.',
  }),
  ...requirementsOf(section, everywhere, {
    'code.form': 'A room code is 8 of 23456789A-Z without I and O, shown as XXXX-XXXX.',
    'name.slug':
      'A member name is 1 to 40 of a-z0-9-, no hyphen first or last; free text becomes one.',
    'limit.room-name': 'A room name has 1 to 80 characters and is trimmed.',
    'limit.description': 'A description has at most 500 characters and is trimmed.',
    'limit.intro': 'An intro has 1 to 1,000 characters and is trimmed.',
    'limit.body':
      'A body has at least one character and at most 65,536 bytes; more is limit_reached.',
    'limit.to': 'A message names at most 50 addresses.',
    'limit.inbox':
      'An inbox batch has at most 20 messages and 64 KiB of bodies, always at least one.',
    'limit.history':
      'A history page has at most 30 messages and 64 KiB of bodies, always at least one.',
    'limit.members': 'A room has at most 50 members; website members do not count.',
    'bucket.cost': 'A member has 60 tokens; a send costs one per recipient, at least one.',
    'bucket.refused':
      'What the bucket refuses is rate_limited with ceil(missing / refill * 60) seconds, ' +
      'and leaves nothing behind.',
    'bucket.refill': 'The bucket refills by 20 tokens a minute, continuously.',
    'limit.join-attempts':
      'After 10 wrong codes in 10 minutes an account’s joins are rate_limited.',
  }),
  ...requirementsOf(section, unseen, {
    'limit.rooms': 'An account owns any number of rooms.',
  }),
] as const;
