// The only place in functions/ that reads process.env. Infra imports the names, so that a variable
// a handler needs and a stack forgets is a compile error.
import * as z from 'zod';

// Made once: every schema costs a function that starts time.
const count = z.coerce.number().int();
const positiveCount = count.positive();
const name = z.string().min(1);
const positive = (fallback: number) => positiveCount.default(fallback);

/** Operator settings; each has the protocol's default (protocol, section 2, limits). */
const policyShape = {
  MEMBERS_PER_ROOM: positive(50),
  /** 0 = unlimited. */
  ROOMS_PER_OWNER: count.nonnegative().default(0),
  BODY_LIMIT_BYTES: positive(65_536),
  SEND_BUCKET_SIZE: positive(60),
  SEND_BUCKET_REFILL_PER_MINUTE: positive(20),
  RETENTION_DAYS: positive(30),
  PULL_ONLINE_MINUTES: positive(10),
  JOIN_ATTEMPTS_PER_10_MINUTES: positive(10),
  /** Of one address: device codes, registrations of clients, fetched client documents. */
  DEVICE_CODES_PER_HOUR: positive(10),
  CLIENT_REGISTRATIONS_PER_HOUR: positive(10),
  AUTHORIZATIONS_PER_MINUTE: positive(30),
  TOKEN_REQUESTS_PER_MINUTE: positive(60),
  CLIENT_DOCUMENTS_PER_HOUR: positive(60),
  /** Of one account. */
  USER_CODE_ATTEMPTS_PER_15_MINUTES: positive(5),
  /** Multiplies the limits of an address for this machine's own: a Hub that only its owner uses. */
  LOOPBACK_SIGN_IN_FACTOR: positive(1),
};

export const PolicyEnv = z.object(policyShape);
export type PolicyEnv = z.infer<typeof PolicyEnv>;

const table = { TABLE_NAME: name };

/** Where website access tokens come from, and whose they must be. */
const websiteSignIn = {
  /** Issuer of the tokens: the user pool's, or the local stand-in's. */
  COGNITO_ISSUER: z.url(),
  COGNITO_JWKS_URI: z.url(),
  /** The website's public client; tokens of any other client are refused. */
  COGNITO_WEBSITE_CLIENT_ID: name,
};

/** The value CloudFront adds to every request it passes on; without it a request came around it. */
const frontDoor = { ORIGIN_SECRET: z.string().min(32) };

/** The `@connections` endpoint of the WebSocket stage, without a slash at the end. */
const connections = { CONNECTIONS_ENDPOINT: z.url() };

/** Environment of the `http` function. */
export const HttpEnv = z.object({
  ...table,
  ...websiteSignIn,
  ...frontDoor,
  ...connections,
  ...policyShape,
});

/** Environment of the `link` function: $connect, $disconnect and `state` frames of room links. */
export const LinkEnv = z.object({
  ...table,
  ...websiteSignIn,
  ...frontDoor,
  ...connections,
  ...policyShape,
});

/** A place without a path and without a slash at the end, as it is compared byte for byte. */
const origin = z.url({ protocol: /^https?$/ }).refine((url) => new URL(url).origin === url);

/** Where the Hub is for everybody: the front door's address. It is the issuer of tokens. */
const address = { HUB_URL: origin };

/** Environment of the `auth` function: the authorization server, and how machines sign in. */
export const AuthEnv = z.object({
  ...LinkEnv.shape,
  ...address,
  /** The pool's managed login: `/oauth2/authorize` and `/oauth2/token` are under it. */
  COGNITO_LOGIN_URL: origin,
  /** A public client of the pool, allowed to send people back to `<hub>/oauth/callback`. */
  COGNITO_AUTH_CLIENT_ID: name,
  /** Seals cookies and records; made at deployment. A new one signs everybody's clients out. */
  AUTH_SECRET: z.string().min(32),
  /** Redirect URIs that any client may use besides the known ones, separated by blanks. */
  CLIENT_REDIRECT_URIS: z
    .string()
    .default('')
    .transform((list) => list.split(/\s+/).filter((uri) => uri !== '')),
});

/** Environment of the `mcp` function: the tools of web chats. */
export const McpEnv = z.object({
  ...table,
  ...frontDoor,
  ...address,
  ...policyShape,
});

/** Environment of the `notify` function, which tells links of mail. */
export const NotifyEnv = z.object({
  ...table,
  ...connections,
  /** Rooms that took too long for their batch. */
  DELAY_QUEUE_URL: name,
});

/** Environment of the `purge` function. */
export const PurgeEnv = z.object({
  ...table,
  ...connections,
  PURGE_QUEUE_URL: name,
});

/** What a stack has to give a function, as strings; operator settings may be left out. */
export type EnvVars<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]: string;
};

/** Parses the environment at cold start; throws with every missing or wrong name. */
export function readEnv<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  throw new Error(`Environment: ${z.prettifyError(parsed.error)}`);
}
