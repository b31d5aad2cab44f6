// The Hub's one address: takes each request and each upgrade to the API behind its path.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { splitTarget } from '../http-api/event.ts';
import type { HttpApiListener } from '../http-api/gateway.ts';
import { gatewayMessage, gatewayResponses, writeResponse } from '../http-api/response.ts';
import type { HubListeners } from '../http-api/server.ts';
import type { WebSocketApi } from '../web-socket-api/gateway.ts';
import type { FrontDoorDefinition } from './definition.ts';
import { passThrough } from './route.ts';

/** The APIs behind the door, by their IDs. */
export type Backends = {
  httpApi: { apiId: string; listener: HttpApiListener };
  webSocketApi: { apiId: string; api: WebSocketApi } | undefined;
};

const forbidden = gatewayMessage(403, 'Forbidden');

/** Without a distribution in the template, the HTTP API is all there is. */
export function serveDirectly({ httpApi }: Backends): HubListeners {
  return {
    request: (request, response) =>
      httpApi.listener(request, response, { target: request.url ?? '/', headers: {} }),
    upgrade: (_request, socket) => socket.destroy(),
  };
}

/** Behaves as the template's distribution does towards the APIs behind it. */
export function serveThroughFrontDoor(
  definition: FrontDoorDefinition,
  { httpApi, webSocketApi }: Backends,
): HubListeners {
  const passageOf = (request: IncomingMessage) => {
    const { path, rawQuery } = splitTarget(request.url ?? '/');
    return { rawQuery, passage: passThrough(definition, request.method ?? '', path) };
  };
  return {
    request: async (request, response) => {
      const { rawQuery, passage } = passageOf(request);
      if (!passage) return writeResponse(response, forbidden);
      if (passage.origin.apiId !== httpApi.apiId) {
        return writeResponse(response, gatewayResponses.notFound);
      }
      const target = rawQuery === '' ? passage.path : `${passage.path}?${rawQuery}`;
      const { headers, domainName } = passage.origin;
      await httpApi.listener(request, response, {
        target,
        headers: { ...headers, host: domainName },
      });
    },
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const { rawQuery, passage } = passageOf(request);
      if (!passage || !webSocketApi || passage.origin.apiId !== webSocketApi.apiId) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const { headers, domainName } = passage.origin;
      const arrival = { path: passage.path, rawQuery, domainName, headers };
      void webSocketApi.api.upgrade({ request, socket, head, ...arrival });
    },
  };
}
