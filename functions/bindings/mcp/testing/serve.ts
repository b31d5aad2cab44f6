// `/mcp` of a test Hub on a real port, behind the local HTTP API: requests become API Gateway's
// events, and the answers pass as JSON, as they do through Lambda.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createHttpApi } from '../../../../local/http-api/gateway.ts';
import { HostKind } from '../../../../protocol/nouns.ts';
import type { Authenticate } from '../../../auth/principal.ts';
import type { TestHub } from '../../../testing/test-hub.ts';
import { answerMcp } from '../endpoint.ts';

export interface TestEndpoint {
  /** The Hub's address, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** `/mcp` alone; `bearer` is added to requests that carry no credential of their own. */
export async function serveMcp(
  { hub }: Pick<TestHub, 'hub'>,
  options: { readonly remapsWwwAuthenticate?: boolean; readonly bearer?: string } = {},
): Promise<TestEndpoint> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const endpoint = { hub: { ...hub, authenticate: testTokens }, url, scope: 'rooms' };
  const target = {
    timeoutMs: 30_000,
    async invoke(event: string) {
      const parsed: APIGatewayProxyEventV2 = JSON.parse(event);
      return { ok: true, payload: JSON.stringify(await answerMcp(endpoint, parsed)) } as const;
    },
  };
  const api = createHttpApi({
    api: { apiId: 'test', stage: '$default', stageVariables: undefined },
    routes: ['POST', 'GET', 'DELETE'].map((method) => ({ key: `${method} /mcp`, target })),
    admits: () => true,
    remapsWwwAuthenticate: options.remapsWwwAuthenticate ?? false,
    nowMs: Date.now,
    onCall: () => {},
  });
  server.on('request', (request, response) => {
    const isAnonymous = request.headers.authorization === undefined;
    const headers: Record<string, string> =
      options.bearer !== undefined && isAnonymous
        ? { authorization: `Bearer ${options.bearer}` }
        : {};
    void api(request, response, { target: request.url ?? '/', headers });
  });
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A token that `testTokens` takes for that account's, from a client of that host. */
export function connectorToken(account: string, host: HostKind = 'web'): string {
  return `connector.${account}.${host}`;
}

/** `<kind>.<account>.<host>`; `fault` ends in one, anything else is unknown. */
const testTokens: Authenticate = async (bearer) => {
  const [kind, account = '', host] = bearer.split('.');
  if (kind === 'fault') throw new RangeError(bearer);
  if (kind === 'connector') {
    return { account, kind, device: 'grant', host: HostKind.parse(host) };
  }
  return kind === 'device' || kind === 'website' ? { account, kind, device: kind } : undefined;
};
