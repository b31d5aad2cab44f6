// One JSON-RPC message in, its answer out, in both eras of MCP: 2026-07-28, where every request
// stands alone, and those of `initialize`. Always JSON: API Gateway passes no streams on.
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Session } from './session.ts';
import { createToolServer } from './tool-server.ts';

/** @param message the parsed body, which `request` then does not carry */
export async function exchange(
  request: Request,
  message: unknown,
  session: Session,
): Promise<Response> {
  if (await isLegacyRequest(request, message)) return exchangeLegacy(request, message, session);
  const handler = createMcpHandler(() => createToolServer(session), { legacy: 'reject' });
  return handler.fetch(request, { parsedBody: message });
}

/** By hand, because the handler would answer these as event streams. */
async function exchangeLegacy(
  request: Request,
  message: unknown,
  session: Session,
): Promise<Response> {
  const server = createToolServer(session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}
