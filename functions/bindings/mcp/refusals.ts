// Answers to requests that never reach a tool, in the shapes that MCP clients understand.

/** Where a client learns how to sign in, and what to ask for there. */
export interface SignIn {
  readonly resourceMetadataUrl: string;
  readonly scope: string;
}

/** JSON-RPC's own codes; what it has no code for is a server error. */
const codes = { parseError: -32_700, invalidRequest: -32_600, serverError: -32_000 } as const;

/** A JSON-RPC error about no request in particular. */
export function refusal(
  status: number,
  code: keyof typeof codes,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { code: codes[code], message };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}

/** Streams and sessions of older revisions: clients take this for "there are none". */
export function methodNotAllowed(): Response {
  return refusal(405, 'serverError', 'only POST is served here', { allow: 'POST' });
}

/**
 * 401. The pointer stands in the body too, because some front doors rename the header.
 * @param problem with the credential; absent if there was none
 */
export function challenge({ resourceMetadataUrl, scope }: SignIn, problem?: string): Response {
  const parameters = {
    ...(problem !== undefined && { error: 'invalid_token', error_description: problem }),
    resource_metadata: resourceMetadataUrl,
    scope,
  };
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return Response.json(
    { error: 'invalid_token', error_description: 'sign in first', ...parameters },
    { status: 401, headers: { 'www-authenticate': `Bearer ${written.join(', ')}` } },
  );
}
