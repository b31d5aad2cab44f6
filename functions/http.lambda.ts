// Deployed behind the HTTP API: composition only.
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { throughFrontDoor } from './bindings/front-door.ts';
import { answerHttp } from './bindings/http.ts';
import { deployedHub } from './compose.ts';
import { HttpEnv, readEnv } from './env.ts';

const env = readEnv(HttpEnv);
const hub = deployedHub(env);

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(throughFrontDoor(env.ORIGIN_SECRET))
  .handler((event) => answerHttp(hub, event));
