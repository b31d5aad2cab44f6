// The Hub's one address: takes each request and each upgrade to the API behind its path.
import type { HttpApiListener } from '../http-api/gateway.ts';
import { gatewayResponses, writeResponse } from '../http-api/response.ts';
import type { HubListeners } from '../http-api/server.ts';
import { refuseUpgrade, type WebSocketApi } from '../web-socket-api/gateway.ts';
import type { FrontDoorDefinition } from './definition.ts';
import { passThrough } from './route.ts';

/** The APIs behind the door, by their IDs. */
export type Backends = {
  httpApi: { apiId: string; listener: HttpApiListener };
  webSocketApi: { apiId: string; api: WebSocketApi } | undefined;
};

/** Without a distribution in the template, the HTTP API is all there is. */
export function serveDirectly({ httpApi }: Backends): HubListeners {
  return {
    request: (request, response) =>
      httpApi.listener(request, response, { target: request.url ?? '/', headers: {} }),
    upgrade: (_request, socket) => refuseUpgrade(socket, 403),
  };
}

/** Behaves as the template's distribution does towards the APIs behind it. */
export function serveThroughFrontDoor(
  definition: FrontDoorDefinition,
  { httpApi, webSocketApi }: Backends,
): HubListeners {
  return {
    request: async (request, response) => {
      const passage = passThrough(definition, request);
      if ('statusCode' in passage) return writeResponse(response, passage);
      const { apiId, domainName, path, rawQuery } = passage;
      if (apiId !== httpApi.apiId) return writeResponse(response, gatewayResponses.notFound);
      const target = rawQuery === '' ? path : `${path}?${rawQuery}`;
      const headers = { ...passage.headers, host: domainName };
      await httpApi.listener(request, response, { target, headers });
    },
    upgrade: (request, socket, head) => {
      const passage = passThrough(definition, request);
      if ('statusCode' in passage) return refuseUpgrade(socket, passage.statusCode);
      if (!webSocketApi || passage.apiId !== webSocketApi.apiId) return refuseUpgrade(socket, 403);
      webSocketApi.api.upgrade({ request, socket, head, ...passage }).catch(() => socket.destroy());
    },
  };
}
