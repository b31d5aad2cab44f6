// The HTTP client of the Hub: encodes, repeats what may be repeated, decodes (protocol, section 2,
// "HTTP binding", and section 3, "Client timing").
import { HubError } from '../../protocol/errors.ts';
import { tierOf } from '../../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../protocol/operations/index.ts';
import { type CallContext, decodeReply, encodeRequest } from '../../protocol/wire.ts';
import { type Clock, pause } from '../clock.ts';
import type { Http, HttpReply } from './http.ts';

export const operationTimeoutMs = 15_000;
export const retryDelaysMs: readonly number[] = [300, 1_000, 3_000];

/** Where a call goes and as whom; `hub` is the Hub's URL without a slash at its end. */
export interface Call extends CallContext {
  hub: string;
}

export interface HubClient {
  /**
   * Performs an operation. Rejects with a HubError: the Hub's own, or `unavailable` if no answer of
   * it came. Network failures and status >= 500 are repeated with the same bytes, hence the same
   * message ID; `isRepeated: false` asks once only.
   */
  call: <Name extends OperationName>(
    operation: Name,
    request: OperationRequest<Name>,
    call: Call,
    options?: { isRepeated?: boolean },
  ) => Promise<OperationResult<Name>>;
  /** Ends calls in flight as `unavailable`, and all later ones. */
  dispose: () => void;
}

/** Its batch is gone with a lost answer, so it is asked for once (protocol, section 2). */
export function isPullInbox(operation: OperationName, { caller }: CallContext): boolean {
  return operation === 'inbox' && caller !== undefined && tierOf[caller.host] === 'pull';
}

export function createHubClient({ http, clock }: { http: Http; clock: Clock }): HubClient {
  const disposal = new AbortController();
  return {
    async call(operation, request, call, { isRepeated = true } = {}) {
      const { path, headers, body } = encodeRequest(operation, request, call);
      const attempt = () => post(`${call.hub}${path}`, headers, body);
      const mayRepeat = isRepeated && !isPullInbox(operation, call);
      const { status, body: reply } = await repeated(attempt, mayRepeat ? retryDelaysMs : []);
      return decodeReply(operation, status, reply);
    },
    dispose: () => disposal.abort(),
  };

  /** The first reply below 500, else what the last attempt gave or threw. */
  async function repeated(
    attempt: () => Promise<HttpReply>,
    delaysMs: readonly number[],
  ): Promise<HttpReply> {
    const [delayMs, ...later] = delaysMs;
    if (delayMs === undefined) return await attempt();
    const reply = await attempt().catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return reply;
    await pause(clock, delayMs, disposal.signal);
    return await repeated(attempt, later);
  }

  async function post(
    url: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<HttpReply> {
    const timeout = new AbortController();
    const cancel = clock.after(operationTimeoutMs, () => timeout.abort());
    const signal = AbortSignal.any([timeout.signal, disposal.signal]);
    try {
      if (disposal.signal.aborted) throw new Error('disposed');
      return await http({ url, headers, body, signal });
    } catch (error) {
      throw new HubError('unavailable', reasonOf(error, timeout.signal.aborted));
    } finally {
      cancel();
    }
  }
}

/** What failed, by code only: texts of network errors may quote addresses and headers. */
function reasonOf(error: unknown, isTimeout: boolean): string {
  if (isTimeout) return `the Hub did not answer within ${operationTimeoutMs / 1000} seconds`;
  const code = networkCode(error);
  return `the Hub could not be reached${code === undefined ? '' : ` (${code})`}`;
}

/** `ECONNREFUSED` and the like; fetch puts it into the cause. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? code : networkCode(error.cause);
}
