// HTTP API event in, authorization server, response out.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createAuthorizationServer } from './authorization-server.ts';
import { answerByListener } from './bridge.ts';
import type { AuthServer } from './context.ts';
import { createGate } from './gate.ts';

export type AnswerAuth = (
  event: APIGatewayProxyEventV2,
  address: string,
) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Answers every path of the authorization server: `/oauth/*`, `/device*`, `/.well-known/oauth-*`.
 */
export function authAnswers(server: AuthServer): AnswerAuth {
  const gate = createGate(server);
  const listener = createAuthorizationServer(server).callback();
  return async (event, address) => {
    const passage = await gate(event, address);
    if ('answer' in passage) return passage.answer;
    return answerByListener(listener, server.hubUrl, { event, address, body: passage.body });
  };
}
