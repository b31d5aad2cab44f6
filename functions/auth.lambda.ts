// Deployed behind the HTTP API: composition only. What signs people and machines in has a function
// of its own, because the library behind it takes long to load.
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { authAnswers } from './auth/server/answer.ts';
import { internet } from './auth/server/clients/guarded-fetch.ts';
import { createSecrets } from './auth/server/secrets.ts';
import { throughFrontDoor } from './bindings/front-door.ts';
import { answerHttp } from './bindings/http.ts';
import { clientAddress } from './client-address.ts';
import { deployedHub, writeLog } from './compose.ts';
import { AuthEnv, readEnv } from './env.ts';
import { claimHandleFor } from './operations/claim-handle.ts';

const env = readEnv(AuthEnv);
const hub = { ...deployedHub(env), url: env.HUB_URL };
const answerAuth = authAnswers({
  hubUrl: env.HUB_URL,
  table: hub.table,
  secrets: createSecrets(env.AUTH_SECRET),
  policy: hub.policy.signIn,
  pool: {
    issuer: env.COGNITO_ISSUER,
    jwksUri: env.COGNITO_JWKS_URI,
    loginUrl: env.COGNITO_LOGIN_URL,
    clientId: env.COGNITO_AUTH_CLIENT_ID,
  },
  network: internet,
  redirects: env.CLIENT_REDIRECT_URIS,
  claimHandle: (account, handle) => claimHandleFor(hub.table, account, handle),
  randomBytes: hub.randomBytes,
  log: writeLog,
});

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(throughFrontDoor(env.ORIGIN_SECRET))
  .handler((event) => {
    const address = clientAddress(event);
    const isOperation = event.rawPath.startsWith('/v1/');
    return isOperation ? answerHttp(hub, event, address) : answerAuth(event, address);
  });
