// Calls a Hub over HTTP: operations by the protocol's own encoding, and raw requests for scenarios
// about the binding itself. What holds for every answer is checked on every answer.
import assert from 'node:assert/strict';
import { HubError, httpStatusOf } from '../protocol/errors.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../protocol/operations/index.ts';
import { type CallContext, decodeReply, encodeRequest } from '../protocol/wire.ts';
import type { Caller, Client } from './client.ts';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Sends anything at all. */
export type SendRaw = (request: RawRequest) => Promise<Answer>;

const timeoutMs = 30_000;
/** Of an answer that is not as it should be. */
const shownCharacters = 300;

/** @param url the Hub's address, without a slash at the end */
export function rawHttp(url: string): SendRaw {
  return async ({ method = 'POST', path, headers = {}, body }) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

/** The HTTP binding as a client of scenarios. */
export function httpClient(url: string): Client {
  const send = rawHttp(url);
  return {
    binding: 'http',
    usualHost: 'codex',
    async call(operation, caller, input) {
      return readAnswer(operation, await send(await encode(operation, caller, input)));
    },
  };
}

async function encode<Name extends OperationName>(
  operation: Name,
  caller: Caller,
  input: OperationRequest<Name>,
): Promise<RawRequest> {
  return encodeRequest(operation, input, await contextOf(caller));
}

/** What the headers of a caller's requests and upgrades say. */
export async function contextOf(caller: Caller): Promise<CallContext> {
  const { account, room, host, conversation } = caller;
  return {
    token: await account?.token(),
    room,
    ...(host !== undefined && conversation !== undefined && { caller: { host, conversation } }),
  };
}

/** The result of an answer, or its refusal thrown; either has to come as the binding says. */
export function readAnswer<Name extends OperationName>(
  operation: Name,
  { status, headers, text }: Answer,
): OperationResult<Name> {
  const answer = `${operation} was answered ${status} ${text.slice(0, shownCharacters)}`;
  assert.equal(headers.get('cache-control'), 'no-store', `Cache-Control: ${answer}`);
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, answer);
  try {
    const result = decodeReply(operation, status, text);
    assert.equal(status, 200, answer);
    return result;
  } catch (error) {
    if (error instanceof HubError) {
      assert.equal(status, httpStatusOf[error.code], answer);
    }
    throw error;
  }
}
