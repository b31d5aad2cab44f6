// Deployed behind the HTTP API: composition only. The tools of web chats have a function of their
// own, because the library behind them takes long to load.
import { randomBytes } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { connectorTokens } from './auth/connector-token.ts';
import { resourceOf, scope } from './auth/resource.ts';
import { throughFrontDoor } from './bindings/front-door.ts';
import { answerMcp } from './bindings/mcp/endpoint.ts';
import { deployedTable, writeLog } from './compose.ts';
import { McpEnv, readEnv } from './env.ts';
import { policyFrom } from './policy.ts';

const env = readEnv(McpEnv);
const table = deployedTable(env.TABLE_NAME);

/** No tool ends a link; what does has to be given the right to. */
function noConnection(): never {
  throw new Error('this function may not reach connections');
}

const endpoint = {
  hub: {
    table,
    policy: policyFrom(env),
    authenticate: connectorTokens(table, resourceOf({ hubUrl: env.HUB_URL })),
    randomBytes,
    log: writeLog,
    connections: { post: async () => noConnection(), close: async () => noConnection() },
  },
  url: env.HUB_URL,
  scope,
};

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(throughFrontDoor(env.ORIGIN_SECRET))
  .handler((event) => answerMcp(endpoint, event));
