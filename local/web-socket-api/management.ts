// The management API of a WebSocket API's stage (`@connections`), for functions.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { account, region } from '../template/names.ts';
import type { Authorize } from '../template/roles.ts';
import { type Connections, messageLimitBytes, type PostOutcome } from './connections.ts';

export type ManagementOptions = {
  apiId: string;
  stage: string;
  connections: Connections;
  authorize: Authorize;
};

export type ManagementApi = {
  /** Without the stage, and without a slash at the end. */
  endpoint: string;
  close(): Promise<void>;
};

type Answer = { status: number; error?: string; body?: object };

const answers: Readonly<Record<PostOutcome, Answer>> = {
  sent: { status: 200 },
  gone: { status: 410, error: 'GoneException' },
  limit: { status: 429, error: 'LimitExceededException' },
  'too-large': { status: 413, error: 'PayloadTooLargeException' },
};

type Operation = (connections: Connections, id: string, payload: Buffer) => Answer;

const operations: Readonly<Record<string, Operation>> = {
  POST: (connections, id, payload) => answers[connections.post(id, payload)],
  DELETE: (connections, id) => (connections.end(id) ? { status: 204 } : answers.gone),
  GET: (connections, id) => {
    const connection = connections.find(id);
    if (!connection) return answers.gone;
    const connectedAt = new Date(connection.connectedAtMs).toISOString();
    const lastActiveAt = new Date(connection.lastActiveAtMs).toISOString();
    return { status: 200, body: { connectedAt, lastActiveAt } };
  },
};

async function readPayload(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= messageLimitBytes + 1) chunks.push(chunk);
  }
  const payload = Buffer.concat(chunks);
  return bytes > payload.length ? Buffer.alloc(messageLimitBytes + 1) : payload;
}

async function answer(request: IncomingMessage, options: ManagementOptions): Promise<Answer> {
  const { apiId, stage, connections, authorize } = options;
  const match = /^\/([^/]+)\/@connections\/([^/?]+)$/.exec(decodeURI(request.url ?? ''));
  const { method = '' } = request;
  const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
  const payload = await readPayload(request);
  const principal = /Credential=([^/,\s]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const resource = `arn:aws:execute-api:${region}:${account}:${apiId}/${stage}/${method}/@connections/*`;
  if (!operation || match?.[1] !== stage) return { status: 403, error: 'ForbiddenException' };
  if (!authorize(principal, 'execute-api:ManageConnections', resource)) {
    return { status: 403, error: 'ForbiddenException' };
  }
  return operation(connections, decodeURIComponent(match[2] ?? ''), payload);
}

function write(response: ServerResponse, { status, error, body }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(error === undefined ? {} : { 'x-amzn-errortype': error }),
  });
  if (status === 204) response.end();
  else response.end(JSON.stringify(body ?? (error === undefined ? {} : { message: error })));
}

/** Starts the endpoint on a free port of the loopback address. */
export async function startManagementApi(options: ManagementOptions): Promise<ManagementApi> {
  const server = createServer((request, response) => {
    const broken = (): Answer => ({ status: 500, error: 'InternalServerError' });
    void answer(request, options)
      .catch(broken)
      .then((result) => write(response, result));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
