// Deployed behind the HTTP API: composition only.
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { answerHttp } from './bindings/http.ts';
import { deployedHub } from './compose.ts';
import { HttpEnv, readEnv } from './env.ts';

const hub = deployedHub(readEnv(HttpEnv));

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>().handler(
  (event) => answerHttp(hub, event),
);
