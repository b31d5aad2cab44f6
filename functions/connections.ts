// Sockets by API Gateway's management API.
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  LimitExceededException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { Connections } from './operations/link/connections.ts';

/** A slow reader's buffer is full: one more try after a pause of up to this long. */
const retryWithinMs = 300;
const requestTimeoutMs = 3_000;

/** `endpoint` is that of the WebSocket stage, never the front door. */
export function managedConnections(endpoint: string): Connections {
  const client = new ApiGatewayManagementApiClient({
    endpoint,
    maxAttempts: 2,
    requestHandler: { requestTimeout: requestTimeoutMs },
  });
  return {
    async post(connection, frame) {
      const command = new PostToConnectionCommand({
        ConnectionId: connection,
        Data: JSON.stringify(frame),
      });
      try {
        await client.send(command).catch(async (error: unknown) => {
          if (!(error instanceof LimitExceededException)) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * retryWithinMs));
          await client.send(command);
        });
        return 'sent';
      } catch (error) {
        if (error instanceof GoneException) return 'gone';
        throw error;
      }
    },
    async close(connection) {
      try {
        await client.send(new DeleteConnectionCommand({ ConnectionId: connection }));
      } catch (error) {
        if (!(error instanceof GoneException)) throw error;
      }
    },
  };
}
