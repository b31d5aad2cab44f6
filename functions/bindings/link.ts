// WebSocket API events in: an upgrade, a client's frame, the end of a connection.
import type {
  APIGatewayProxyStructuredResultV2,
  APIGatewayProxyWebsocketEventV2,
} from 'aws-lambda';
import { HubError, httpStatusOf } from '../../protocol/errors.ts';
import { decodeClientFrame } from '../../protocol/frames.ts';
import { decodeHeaders, failure, type HeaderRecord } from '../../protocol/wire.ts';
import type { Hub } from '../operations/hub.ts';
import { closeLink } from '../operations/link/close.ts';
import type { LinkHub } from '../operations/link/connections.ts';
import { openLink } from '../operations/link/open.ts';
import { noteState } from '../operations/link/state.ts';

/** The event of `$connect` also has the upgrade request's headers. */
export interface LinkEvent extends APIGatewayProxyWebsocketEventV2 {
  readonly headers?: HeaderRecord;
}

/** Answers an event; of `$connect` the status refuses or accepts the upgrade. */
export async function answerLink(
  hub: Hub & LinkHub,
  event: LinkEvent,
): Promise<APIGatewayProxyStructuredResultV2> {
  const startedMs = hub.table.nowMs();
  const step = steps[event.requestContext.eventType];
  const line = { operation: `link.${step.name}` };
  try {
    await step.run(hub, event);
    hub.log({ ...line, level: 'info', outcome: 'ok', ms: hub.table.nowMs() - startedMs });
    return { statusCode: 200 };
  } catch (error) {
    const refusal = error instanceof HubError ? error : undefined;
    const fault = error instanceof Error ? error.name : typeof error;
    hub.log({
      ...line,
      level: refusal === undefined ? 'error' : 'info',
      outcome: refusal?.code ?? 'unavailable',
      ms: hub.table.nowMs() - startedMs,
      ...(refusal === undefined && { fault }),
    });
    const told = refusal ?? new HubError('unavailable', 'the Hub could not open the link');
    return { statusCode: httpStatusOf[told.code], body: JSON.stringify(failure(told)) };
  }
}

interface Step {
  readonly name: string;
  readonly run: (hub: Hub & LinkHub, event: LinkEvent) => Promise<void>;
}

const steps: Readonly<Record<LinkEvent['requestContext']['eventType'], Step>> = {
  CONNECT: { name: 'open', run: open },
  MESSAGE: { name: 'state', run: state },
  DISCONNECT: { name: 'close', run: close },
};

async function open(hub: Hub & LinkHub, event: LinkEvent): Promise<void> {
  const { bearer, room, caller } = decodeHeaders(lowerCased(event.headers ?? {}));
  const { connectionId: connection, connectedAt } = event.requestContext;
  await openLink(hub, { connection, connectedAt, bearer, room, caller });
}

async function state(hub: LinkHub, { body = '', requestContext }: LinkEvent): Promise<void> {
  const frame = decodeClientFrame(body);
  if (frame === undefined) return;
  const { connectionId: connection, requestTimeEpoch: receivedAt } = requestContext;
  await noteState(hub, { connection, receivedAt, frame });
}

/** Codes of a client that closed by itself; anything else is a connection that broke. */
const closedByClient: ReadonlySet<number> = new Set([1000, 1001, 1005]);

async function close(hub: LinkHub, { requestContext }: LinkEvent): Promise<void> {
  const code: unknown = Reflect.get(requestContext, 'disconnectStatusCode');
  const isByClient = typeof code === 'number' && closedByClient.has(code);
  await closeLink(hub, requestContext.connectionId, isByClient);
}

/** Unlike an HTTP API, a WebSocket API gives headers in the client's spelling. */
function lowerCased(headers: HeaderRecord): HeaderRecord {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
