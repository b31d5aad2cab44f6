// Deployed behind the HTTP API: composition only.
import { randomBytes } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { authenticator } from './auth/authenticate.ts';
import { answerHttp } from './bindings/http.ts';
import { deployedTable, writeLog } from './compose.ts';
import { HttpEnv, readEnv } from './env.ts';
import type { Hub } from './operations/hub.ts';
import { policyFrom } from './policy.ts';

const env = readEnv(HttpEnv);

const hub: Hub = {
  table: deployedTable(env.TABLE_NAME),
  policy: policyFrom(env),
  authenticate: authenticator(async () => {
    const { websiteTokens } = await import('./auth/website-token.ts');
    return websiteTokens({
      issuer: env.COGNITO_ISSUER,
      jwksUri: env.COGNITO_JWKS_URI,
      clientId: env.COGNITO_WEBSITE_CLIENT_ID,
    });
  }),
  randomBytes,
  log: writeLog,
};

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>().handler(
  (event) => answerHttp(hub, event),
);
