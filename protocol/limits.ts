// Every number of the protocol in one place (protocol, section 2, "Identifiers and limits").
// Operators may lower or raise some of them in their Hub's policy; these are the defaults.

/** Sizes, counts and times; the unit stands last in each name. */
export const limits = {
  requestBytes: 256 * 1024,

  idCharactersMin: 8,
  idCharactersMax: 40,
  conversationIdCharacters: 200,
  handleCharactersMin: 3,
  handleCharactersMax: 24,
  memberNameCharacters: 40,
  /** What an agent may propose as a name before it is slugged. */
  memberNameTextCharacters: 200,
  workspaceFieldCharacters: 200,

  roomCodeCharacters: 8,
  roomCodeTextCharactersMin: 4,
  roomCodeTextCharactersMax: 32,
  roomNameCharacters: 80,
  roomDescriptionCharacters: 500,
  introCharacters: 1_000,
  deviceLabelCharacters: 100,
  /** Device codes and device IDs: opaque, ours, far shorter than this. */
  opaqueTextCharacters: 200,
  stateReasonCharacters: 200,

  bodyBytes: 64 * 1024,
  recipientsPerMessage: 50,
  metaEntries: 8,
  metaKeyCharacters: 64,
  metaValueCharacters: 256,

  inboxBatchMessages: 20,
  inboxBatchBodyBytes: 64 * 1024,
  historyPageMessages: 30,
  historyPageBodyBytes: 64 * 1024,

  sendBucketTokens: 60,
  sendBucketRefillTokensPerMinute: 20,
  joinAttempts: 10,
  joinAttemptsWindowMinutes: 10,

  membersPerRoom: 50,
  retentionDays: 30,
  pullOnlineMinutes: 10,
  lastActiveResolutionSeconds: 60,

  loginPollSeconds: 5,
  loginExpirySeconds: 600,
} as const;
