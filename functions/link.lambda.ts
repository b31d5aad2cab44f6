// Deployed behind the WebSocket API: composition only.
import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { throughFrontDoor } from './bindings/front-door.ts';
import { answerLink, type LinkEvent } from './bindings/link.ts';
import { deployedHub } from './compose.ts';
import { managedConnections } from './connections.ts';
import { LinkEnv, readEnv } from './env.ts';

const env = readEnv(LinkEnv);
const hub = {
  ...deployedHub(env),
  connections: managedConnections(env.CONNECTIONS_ENDPOINT),
};

export const handler = middy<LinkEvent, APIGatewayProxyStructuredResultV2>()
  .use(throughFrontDoor(env.ORIGIN_SECRET))
  .handler((event) => answerLink(hub, event));
