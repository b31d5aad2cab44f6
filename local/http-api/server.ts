// The listening side of the Hub's address: takes the port at once, answers when the API is there.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StartError } from '../start-error.ts';
import { gatewayResponses, writeResponse } from './response.ts';

/** What the Hub's address does with requests and with upgrades to WebSockets. */
export type HubListeners = {
  request(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

export type HubServer = {
  /** Without a slash at the end. */
  url: string;
  /** From now on requests go to the listeners; until then they are answered 503. */
  serve(listeners: HubListeners): void;
  close(): Promise<void>;
};

const notReady: HubListeners = {
  request: (_request, response) => writeResponse(response, gatewayResponses.unavailable),
  upgrade: (_request, socket) => socket.destroy(),
};

/** Listens on the loopback address; port 0 takes a free one. */
export async function startHubServer(port: number): Promise<HubServer> {
  let listeners = notReady;
  // The API's own limit on headers is lower; Node's must not come first.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    // A fault of the runner ends that one request, not the Hub.
    Promise.resolve(listeners.request(request, response)).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => listeners.upgrade(request, socket, head));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    throw new StartError(
      `Port ${port} is in use: stop what listens there, or start with --port <number>`,
    );
  }
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${actualPort}`,
    serve: (next) => {
      listeners = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
