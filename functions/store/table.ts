// The shape of the one table, shared with infra and the local stack (design, section 3).

/** Key, TTL and stream settings of the table. Every other attribute is only known to the store. */
export const hubTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLiveAttribute: 'expiresAt',
  streamViewType: 'KEYS_ONLY',
} as const;

/**
 * Key prefixes that event-source filters select by. They are written here and not in `keys.ts`,
 * because `infra` may import only the table's shape.
 */
export const streamedKeys = {
  roomPartitionPrefix: 'ROOM#',
  roomSortKey: 'META',
  logSortKeyPrefix: 'LOG#',
  linkSortKeyPrefix: 'LINK#',
} as const;
