// A host of client metadata documents, with a name and an address of its own: the name resolves as
// the test says, and a connection to whatever address ends at this machine.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { Network } from '../auth/server/clients/guarded-fetch.ts';
import { makeCertificate } from './certificate.ts';

export const documentHost = 'client.example.com';
/** Public, and nobody's: no test ever reaches it. */
const publicAddress = '93.184.215.14';

export interface DocumentHost {
  readonly network: Network;
  /** Addresses that were connected to. */
  readonly connected: string[];
  /** How often the name was asked for. */
  lookups(): number;
  /** Requests that came, by path. */
  readonly requests: string[];
  /** What names resolve to from now on; one answer after another, the last one stays. */
  resolveTo(...answers: readonly (readonly string[])[]): void;
  /** How requests are answered from now on. */
  answer(respond: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Answers every request with this document. */
  serve(document: unknown, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

export async function startDocumentHost(): Promise<DocumentHost> {
  const { cert, key } = makeCertificate(documentHost);
  let respond: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.writeHead(404).end();
  const requests: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    requests.push(request.url ?? '');
    respond(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const connected: string[] = [];
  let answers: readonly (readonly string[])[] = [[publicAddress]];
  let lookups = 0;
  return {
    connected,
    requests,
    lookups: () => lookups,
    network: {
      ca: cert,
      resolve: async () => {
        const answer = answers[Math.min(lookups, answers.length - 1)] ?? [];
        lookups += 1;
        return answer;
      },
      connect: (to) => {
        connected.push(to);
        return connect({ host: '127.0.0.1', port });
      },
    },
    resolveTo(...next) {
      answers = next;
      lookups = 0;
    },
    answer(next) {
      respond = next;
    },
    serve(document, headers = {}) {
      respond = (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        response.end(typeof document === 'string' ? document : JSON.stringify(document));
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
