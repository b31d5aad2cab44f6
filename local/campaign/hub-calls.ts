// Operations over HTTP for the campaign's members, each call once: what is lost stays lost.
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../protocol/operations/index.ts';
import { type CallContext, decodeReply, encodeRequest } from '../../protocol/wire.ts';

const timeoutMs = 30_000;

/** Calls one operation; throws HubError, or the network's error. */
export async function callHub<Name extends OperationName>(
  hub: string,
  operation: Name,
  context: CallContext,
  input: OperationRequest<Name>,
): Promise<OperationResult<Name>> {
  const { path, headers, body } = encodeRequest(operation, input, context);
  const response = await fetch(`${hub}${path}`, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return decodeReply(operation, response.status, await response.text());
}
