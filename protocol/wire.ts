// The HTTP binding's encoding: headers, envelopes, protocol versions, and the order in which a
// request is checked (protocol, section 2, "HTTP binding").
import * as z from 'zod';
import { ErrorBody, HubError } from './errors.ts';
import { ConversationId, RoomId } from './ids.ts';
import { limits } from './limits.ts';
import { HostKind } from './nouns.ts';
import {
  isOperationName,
  type OperationName,
  type OperationRequest,
  type OperationResult,
  schemasOf,
} from './operations/index.ts';
import { utf8Bytes } from './text.ts';

export const protocolVersion = 1;
/** The current version and the one before are served. */
export const oldestProtocolVersion = 1;

export const requestLimitBytes = limits.requestBytes;

/** Names of our headers in the lower case in which both sides read them. */
export const headerNames = {
  authorization: 'authorization',
  protocol: 'tandry-protocol',
  room: 'tandry-room',
  host: 'tandry-host',
  conversation: 'tandry-conversation',
} as const;

/** The conversation that calls, as its host names it. */
export interface CallingConversation {
  host: HostKind;
  conversation: ConversationId;
}

/** What the headers say; whether the operation needs more of them is decided by its scope. */
export interface RequestHeaders {
  protocol: number;
  room?: RoomId;
  caller?: CallingConversation;
  bearer?: string;
}

/** Header values by lower-cased name, as API Gateway and Node give them. */
export type HeaderRecord = Readonly<Record<string, string | undefined>>;

/** Reads the headers of a request or a link upgrade; throws `invalid_input`, `upgrade_required`. */
export function decodeHeaders(headers: HeaderRecord): RequestHeaders {
  const decoded = readHeaders(headers);
  requireServedProtocol(decoded.protocol);
  return decoded;
}

export interface DecodedRequest {
  operation: OperationName;
  headers: RequestHeaders;
  /** For `parseInput`. */
  input: unknown;
}

/**
 * Checks a request in the protocol's order: headers, JSON, protocol version, operation name. What
 * comes after, from the input schema on, is the same for every binding and not done here.
 */
export function decodeRequest(
  operation: string,
  headers: HeaderRecord,
  body: string,
): DecodedRequest {
  const decoded = readHeaders(headers);
  const input = decodeBody(body);
  requireServedProtocol(decoded.protocol);
  if (!isOperationName(operation)) throw new HubError('invalid_input', 'unknown operation');
  return { operation, headers: decoded, input };
}

function readHeaders(headers: HeaderRecord): RequestHeaders {
  const room = readHeader(RoomId, headers, headerNames.room);
  const host = readHeader(HostKind, headers, headerNames.host);
  const conversation = readHeader(ConversationId, headers, headerNames.conversation);
  if ((host === undefined) !== (conversation === undefined)) {
    throw new HubError(
      'invalid_input',
      `${headerNames.host} and ${headerNames.conversation} come together or not at all`,
    );
  }
  const bearer = readBearer(headers);
  return {
    protocol: readProtocol(headers[headerNames.protocol]),
    ...(room !== undefined && { room }),
    ...(host !== undefined && conversation !== undefined && { caller: { host, conversation } }),
    ...(bearer !== undefined && { bearer }),
  };
}

/** The credential of a request; undefined if there is none, or none of the form. */
export function readBearer(headers: HeaderRecord): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(headers[headerNames.authorization] ?? '')?.[1];
}

function readHeader<Schema extends z.ZodType>(
  schema: Schema,
  headers: HeaderRecord,
  name: string,
): z.output<Schema> | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HubError('invalid_input', `the header ${name} is not valid`);
}

/** A version above ours is a newer client, which is served as a current one. */
function readProtocol(value: string | undefined): number {
  if (value === undefined) return protocolVersion;
  if (!/^\d+$/.test(value)) {
    throw new HubError('invalid_input', `the header ${headerNames.protocol} is not an integer`);
  }
  return Math.min(Number(value), protocolVersion);
}

function requireServedProtocol(protocol: number): void {
  if (protocol >= oldestProtocolVersion) return;
  throw new HubError(
    'upgrade_required',
    `this Hub serves protocol versions ${oldestProtocolVersion} to ${protocolVersion}`,
  );
}

function decodeBody(body: string): unknown {
  if (utf8Bytes(body) > requestLimitBytes) {
    throw new HubError('invalid_input', `a request has at most ${requestLimitBytes} bytes`);
  }
  const input = parseJson(body);
  if (input === undefined) throw new HubError('invalid_input', 'the request is not JSON');
  return input;
}

/** Undefined if the text is not JSON; JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Who calls and from where, as a client knows it. */
export interface CallContext {
  token?: string | undefined;
  room?: RoomId | undefined;
  caller?: CallingConversation | undefined;
}

export interface EncodedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export function encodeRequest<Name extends OperationName>(
  operation: Name,
  input: OperationRequest<Name>,
  context: CallContext,
): EncodedRequest {
  return {
    path: `/v1/${operation}`,
    headers: { 'content-type': 'application/json', ...encodeHeaders(context) },
    body: JSON.stringify(input),
  };
}

/** The headers of an operation, which are also those of the link's upgrade request. */
export function encodeHeaders({ token, room, caller }: CallContext): Record<string, string> {
  return {
    [headerNames.protocol]: String(protocolVersion),
    ...(token !== undefined && { [headerNames.authorization]: `Bearer ${token}` }),
    ...(room !== undefined && { [headerNames.room]: room }),
    ...(caller !== undefined && {
      [headerNames.host]: caller.host,
      [headerNames.conversation]: caller.conversation,
    }),
  };
}

export function success<Result>(result: Result): { ok: true; result: Result } {
  return { ok: true, result };
}

export function failure({ code, message, data }: HubError): { ok: false; error: ErrorBody } {
  return { ok: false, error: { code, message, ...(data !== undefined && { data }) } };
}

const Success = z.object({ ok: z.literal(true), result: z.unknown() });
const Failure = z.object({ ok: z.literal(false), error: ErrorBody });

/**
 * Reads the Hub's reply to an operation: gives the result or throws the refusal as a HubError. What
 * is no envelope, or has a result of another shape, is `unavailable`.
 */
export function decodeReply<Name extends OperationName>(
  operation: Name,
  status: number,
  body: string,
): OperationResult<Name> {
  const reply = parseJson(body);
  const refused = Failure.safeParse(reply);
  if (refused.success) {
    const { code, message, data } = refused.data.error;
    throw new HubError(code, message, data);
  }
  const result = schemasOf[operation].output.safeParse(Success.safeParse(reply).data?.result);
  if (result.success) return result.data;
  throw new HubError('unavailable', `the Hub answered ${status} with something unexpected`);
}
