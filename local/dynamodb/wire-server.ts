// The HTTP side of the proxy: reads calls in DynamoDB's wire protocol, writes the answers.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { EngineError } from './engine-error.ts';
import type { JsonObject } from './json.ts';
import { type Answer, contentType, errorAnswer, readBody } from './wire.ts';

/** One call as it arrived. */
export interface Call {
  /** The access key ID of its signature: who calls. */
  principal: string;
  /** `<service>.<operation>` */
  target: string;
  operation: string;
  body: JsonObject;
}

/** `cut` closes the connection without an answer. */
export type Outcome = Answer | 'cut';

export interface WireServer {
  endpoint: string;
  close(): Promise<void>;
}

/** Listens on the loopback address; port 0 takes a free one. */
export async function startWireServer(
  port: number,
  answer: (call: Call) => Promise<Outcome>,
): Promise<WireServer> {
  const server = createServer({ noDelay: true, keepAliveTimeout: 120_000 }, (request, response) => {
    void respond(request, response, answer);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new EngineError(`Port ${port} is in use.`) : error;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (call: Call) => Promise<Outcome>,
): Promise<void> {
  try {
    const outcome = await answer(readCall(request, await readBody(request)));
    if (outcome === 'cut') request.socket.destroy();
    else write(response, outcome);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    write(response, errorAnswer('InternalServerError', `The local stack failed: ${reason}`));
  }
}

function readCall(request: IncomingMessage, body: JsonObject): Call {
  const target = String(request.headers['x-amz-target'] ?? '');
  const credential = /Credential=([^/,\s]+)/.exec(request.headers.authorization ?? '');
  return {
    principal: credential?.[1] ?? 'anonymous',
    target,
    operation: target.slice(target.indexOf('.') + 1),
    body,
  };
}

function write(response: ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(text);
}
