// AWS list prices, us-east-1, US dollars. Free tiers are left out.

export const prices = {
  asOf: 'November 2026',
  /** For each million. */
  httpRequests: 1,
  websocketMessages: 1,
  lambdaRequests: 0.2,
  dynamodbWrites: 0.625,
  dynamodbReads: 0.125,
  /** ARM, for each GB-second. */
  lambdaGbSecond: 0.000_013_333_4,
  /** For each GB-month: storage, and the same again for point-in-time recovery. */
  dynamodbGbMonth: 0.25 + 0.2,
  /** For each GB. */
  logsGb: 0.5,
  dataOutGb: 0.09,
} as const;

/** What a call is reckoned with where nothing measures it. */
export const assumptions = {
  interactiveMemoryGb: 1,
  notifyMemoryGb: 0.5,
  logBytesPerRequest: 1_000,
  responseBytes: 2_000,
  retentionMonths: 1,
} as const;
