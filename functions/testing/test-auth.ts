// The authorization server and what its tokens open in this process, behind a small HTTP server
// that makes events of requests
// as API Gateway does, with the real table and the real stand-in for Cognito.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Cognito, startCognito } from '../../local/cognito/start.ts';
import { connectorTokens } from '../auth/connector-token.ts';
import type { Authenticate } from '../auth/principal.ts';
import { resourceOf, scope } from '../auth/resource.ts';
import { authAnswers } from '../auth/server/answer.ts';
import type { Network } from '../auth/server/clients/guarded-fetch.ts';
import { createSecrets } from '../auth/server/secrets.ts';
import { answerHttp } from '../bindings/http.ts';
import { answerMcp } from '../bindings/mcp/endpoint.ts';
import { claimHandleFor } from '../operations/claim-handle.ts';
import type { Hub } from '../operations/hub.ts';
import type { SignInPolicy } from '../policy.ts';
import { httpEvent } from './http-event.ts';
import { withRealTokens } from './test-devices.ts';
import { startTestHub, type TestHub, type TestHubOptions } from './test-hub.ts';

export interface TestAuth {
  /** Where the Hub is: the issuer. */
  readonly url: string;
  readonly test: TestHub;
  /** Device tokens are looked up; any JWT is nobody's. */
  readonly hub: Hub;
  /** Whose a connector's token for this Hub's `/mcp` is. */
  readonly connector: Authenticate;
  readonly cognito: Cognito;
  /** Lines that the authorization server logged. */
  readonly faults: object[];
  /** Makes the server anew, as after a restart: nothing is left but the table. */
  restart(): void;
  close(): Promise<void>;
}

export interface TestAuthOptions {
  readonly signIn?: Partial<SignInPolicy>;
  readonly network?: Network;
  readonly redirects?: readonly string[];
  readonly hub?: TestHubOptions;
  /** Whether `WWW-Authenticate` is renamed on its way out, as some of AWS's front doors do. */
  readonly remapsWwwAuthenticate?: boolean;
}

/** A network on which no document can be had. */
export const noNetwork: Network = {
  resolve: async () => [],
  connect: () => {
    throw new Error('nobody is connected to');
  },
};

/** Names the address a request comes from; `127.0.0.1` without it. */
export const addressHeader = 'x-test-address';
export const authClientId = 'auth';

export async function startTestAuth(options: TestAuthOptions = {}): Promise<TestAuth> {
  const test = await startTestHub(options.hub);
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'auth-'));
  const started = await startCognito({
    port: 0,
    folder,
    region: 'eu-west-1',
    poolId: 'eu-west-1_local',
    clients: [{ clientId: authClientId, callbackUrls: [`${url}/oauth/callback`] }],
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= started.close();
    return closing;
  };
  const cognito = { ...started, close };
  const hub = withRealTokens(test, { url });
  const signIn = { ...hub.policy.signIn, loopbackFactor: 1_000, ...options.signIn };
  const faults: object[] = [];
  const create = () =>
    authAnswers({
      hubUrl: url,
      table: hub.table,
      secrets: createSecrets('the secret of this deployment, long enough'),
      policy: signIn,
      pool: {
        issuer: cognito.issuer,
        jwksUri: cognito.jwksUri,
        loginUrl: cognito.baseUrl,
        clientId: authClientId,
      },
      network: options.network ?? noNetwork,
      redirects: options.redirects ?? [],
      claimHandle: (account, handle) => claimHandleFor(hub.table, account, handle),
      randomBytes: hub.randomBytes,
      log: (line) => faults.push(line),
    });
  let answer = create();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { event, from } = await eventOf(request);
    const result = await serve(event, from);
    const { cookies = [], headers = {}, statusCode = 200, body = '' } = result;
    const isRenamed = (name: string) =>
      options.remapsWwwAuthenticate === true && name.toLowerCase() === 'www-authenticate';
    const sent = Object.entries(headers).map(([name, value]) => [
      isRenamed(name) ? `x-amzn-remapped-${name}` : name,
      String(value),
    ]);
    response.writeHead(statusCode, {
      ...Object.fromEntries(sent),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    });
    response.end(body);
  }

  function serve(event: APIGatewayProxyEventV2, from: string) {
    if (event.rawPath === '/mcp') {
      const authenticate = connectorTokens(hub.table, resourceOf({ hubUrl: url }));
      return answerMcp({ hub: { ...hub, authenticate }, url, scope }, event);
    }
    return event.rawPath.startsWith('/v1/')
      ? answerHttp({ ...hub, policy: { ...hub.policy, signIn } }, event, from)
      : answer(event, from);
  }

  return {
    url,
    test,
    hub,
    connector: connectorTokens(hub.table, `${url}/mcp`),
    cognito,
    faults,
    restart() {
      answer = create();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await cognito.close();
      await test.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function eventOf(request: IncomingMessage) {
  const {
    cookie,
    [addressHeader]: from = '127.0.0.1',
    connection: _,
    ...headers
  } = request.headers;
  const url = new URL(request.url ?? '/', 'http://any');
  const body = (await buffer(request)).toString('base64');
  const event = httpEvent({
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.search.slice(1),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    ...(body !== '' && { body }),
  });
  return { event: { ...event, isBase64Encoded: body !== '' }, from: String(from) };
}
