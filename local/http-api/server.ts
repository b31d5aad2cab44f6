// The listening side of the Hub's address: takes the port at once, answers when the API is there.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StartError } from '../start-error.ts';
import { gatewayResponses } from './response.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type HubServer = {
  /** Without a slash at the end. */
  url: string;
  /** From now on requests go to the listener; until then they are answered 503. */
  serve(listener: Listener): void;
  close(): Promise<void>;
};

async function answerNotReady(_: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode, headers, body } = gatewayResponses.unavailable;
  response.writeHead(statusCode, headers).end(body);
}

/** Listens on the loopback address; port 0 takes a free one. */
export async function startHubServer(port: number): Promise<HubServer> {
  let listener: Listener = answerNotReady;
  // The API's own limit on headers is lower; Node's must not come first.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    void listener(request, response);
  });
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
      listener = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
