// Where a client may have a code sent to: this machine of the person, or a place on the list.

/** Callbacks of clients that are known; one with `/*` at its end allows one more segment. */
const knownRedirects = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://claude.com/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'https://chatgpt.com/connector/oauth/*',
  'https://vscode.dev/redirect',
  'https://insiders.vscode.dev/redirect',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
];

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const segment = /^[\w-]+$/;

/** Whether a redirect URI stays on the person's own machine, at whatever port. */
export function isLoopback(redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  return url?.protocol === 'http:' && loopbackHosts.has(url.hostname) && isPlain(url);
}

export interface RedirectRules {
  /** What any client may use, however it is registered. */
  isAllowed(redirectUri: string): boolean;
  /** What the client of a metadata document may use: its own origin as well. */
  isAllowedFor(clientId: string, redirectUri: string): boolean;
}

/** The rules with an operator's own entries added to the list. */
export function redirectRules(operatorsOwn: readonly string[]): RedirectRules {
  const list = [...knownRedirects, ...operatorsOwn];
  const isAllowed = (uri: string) => isLoopback(uri) || list.some((entry) => matches(entry, uri));
  return {
    isAllowed,
    isAllowedFor: (clientId, uri) => isAllowed(uri) || isSameOrigin(clientId, uri),
  };
}

function matches(entry: string, uri: string): boolean {
  if (!entry.endsWith('/*')) return uri === entry;
  const prefix = entry.slice(0, -1);
  return uri.startsWith(prefix) && segment.test(uri.slice(prefix.length));
}

function isSameOrigin(clientId: string, uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === 'https:' && isPlain(url) && url.origin === URL.parse(clientId)?.origin;
}

/** What the answer itself puts there. */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description'];

/** Nothing in it that makes it look like another place, or like an answer before there is one. */
function isPlain({ username, password, hash, searchParams }: URL): boolean {
  const isBare = username === '' && password === '' && hash === '';
  return isBare && !answerParameters.some((name) => searchParams.has(name));
}
