// Requirements of the HTTP binding: envelopes, headers, the order of checks, refusals, membership.
import { everywhere, httpOnly, requirementsOf, unseen } from './requirement.ts';

const binding = '2, HTTP binding';
const refusals = '2, refusals';
const membership = '2, membership';
const errors = '2, errors';

export const httpRequirements = [
  ...requirementsOf(binding, httpOnly, {
    'http.path': 'An operation is POST /v1/<operation> in snake_case with a JSON object as body.',
    'http.success': 'A success is 200 with {"ok":true,"result":…} in the shape of the operation.',
    'http.failure':
      'A refusal is {"ok":false,"error":{code,message,data?}} with the code’s status.',
    'http.no-store': 'Every answer says Cache-Control: no-store.',
    'http.health': 'GET /health answers {"ok":true,"now":<ms>} without a credential.',
    'http.size': 'A request has at most 256 KiB, counted in bytes; more is invalid_input.',
    'http.json': 'A body that is not JSON is invalid_input.',
    'http.object': 'A body that is JSON but no object is invalid_input.',
    'http.operation': 'An operation that does not exist is invalid_input.',
    'http.protocol-absent': 'Without Tandry-Protocol the current version is meant.',
    'http.protocol-form': 'A Tandry-Protocol that is no integer or negative is invalid_input.',
    'http.protocol-old': 'A version below the oldest that is served is upgrade_required.',
    'http.protocol-new': 'A version above the current one is served as the current one.',
    'http.credential': 'A credential that is missing, malformed or unknown is not_logged_in.',
    'http.caller-pair': 'Tandry-Host and Tandry-Conversation come together, else invalid_input.',
    'http.host-kind': 'An unknown host kind is invalid_input.',
    'http.room-header':
      'Room-scoped operations take the room from Tandry-Room; a text that is no room ID ' +
      'there is invalid_input.',
    'http.order-headers':
      'Headers are checked before the JSON, and both before the protocol version.',
    'http.order-protocol': 'The protocol version is checked before the operation’s name.',
    'http.order-input': 'The operation’s name and its input are checked before the credential.',
    'http.order-credential':
      'The credential is checked before the scope: a missing room or conversation.',
    'http.order-room':
      'A missing room or conversation is told before the room is looked for, the room ' +
      'before the membership.',
    'http.all-issues': 'All that is wrong with an input is told in one message.',
    'http.website-token':
      'A website token may call as any conversation of its account, whatever its host.',
  }),
  ...requirementsOf(binding, ['sign-in'], {
    'http.device-token':
      'A device token and a website token of one account reach the same account.',
    'http.website-host':
      'Only a website token may call as host kind website; else forbidden, before the ' +
      'scope is checked.',
    'http.device-mcp': 'Device and website tokens are refused at /mcp.',
  }),
  ...requirementsOf(binding, ['mcp'], {
    'http.connector-token': 'A connector token at /v1 is not_logged_in.',
  }),
  ...requirementsOf(binding, ['client'], {
    'client.retries':
      'A client repeats network failures and status >= 500 only, and a pull inbox never.',
    'client.envelope':
      'A reply without the envelope, or with a result of another shape, counts as unavailable.',
  }),
  ...requirementsOf(binding, unseen, {
    'http.fault': 'A fault is 503 unavailable and is logged by its name alone.',
    'http.health-storage': 'GET /health touches no storage.',
  }),

  ...requirementsOf(refusals, httpOnly, {
    'refuse.room-missing': 'A room-scoped operation without a room is invalid_input.',
    'refuse.conversation-missing':
      'join, send, inbox and read without a conversation are invalid_input.',
    'refuse.surrogates':
      'A lone surrogate anywhere in the input, keys and unknown fields included, is invalid_input.',
    'refuse.control-characters': 'Control characters in a name are invalid_input.',
    'accept.null': 'An optional field that is null counts as absent.',
    'refuse.no-handle': 'new_room and join of an account without a handle are handle_required.',
    'accept.unknown-fields': 'Unknown fields are ignored.',
  }),
  ...requirementsOf(refusals, everywhere, {
    'accept.legal-text':
      'Legal text of any language, with emoji and bidi marks, is stored unchanged.',
  }),

  ...requirementsOf(membership, everywhere, {
    'member.match':
      'A conversation acts as the present member whose account, host and conversation ' +
      'all match, else not_in_room.',
  }),
  ...requirementsOf(membership, httpOnly, {
    'member.observer':
      'Without a conversation the room’s owner, or an account with a present member, observes.',
    'member.stranger': 'Any other account without a conversation is forbidden.',
    'member.unknown-room': 'An unknown room ID is not_in_room, and nothing comes into being by it.',
  }),

  ...requirementsOf(errors, httpOnly, {
    'errors.status': 'Every code has its HTTP status.',
    'errors.already-in-room': 'already_in_room names the room the conversation is in.',
  }),
  ...requirementsOf(errors, everywhere, {
    'errors.members': 'no_such_member brings the member list as data.members.',
    'errors.retry-after': 'rate_limited brings data.retryAfterSeconds.',
  }),
  ...requirementsOf(errors, ['mcp', 'client'], {
    'errors.next-step': 'Every code comes with the next step for the agent, in words of its own.',
  }),
] as const;
