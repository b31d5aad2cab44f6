// Documents of clients that many people use, for when their hosts do not answer: they have been
// away for hours before, and refuse some networks. What is fetched replaces what stands here.

interface Known {
  readonly name: string;
  /**
   * Where its documents are; what the group `id` matches may stand in the redirect URIs as `{id}`.
   */
  readonly url: RegExp;
  readonly redirects: readonly string[];
}

const known: readonly Known[] = [
  {
    name: 'Claude',
    url: /^https:\/\/claude\.ai\/oauth\/mcp-oauth-client-metadata$/,
    redirects: [
      'https://claude.ai/api/mcp/auth_callback',
      'https://claude.com/api/mcp/auth_callback',
    ],
  },
  {
    name: 'Claude Code',
    url: /^https:\/\/claude\.ai\/oauth\/claude-code-client-metadata$/,
    redirects: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  {
    name: 'ChatGPT',
    url: /^https:\/\/chatgpt\.com\/oauth\/client\.json$/,
    redirects: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
  {
    name: 'Codex',
    url: /^https:\/\/chatgpt\.com\/oauth\/codex\/client\.json$/,
    redirects: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  },
  {
    name: 'Codex',
    url: /^https:\/\/chatgpt\.com\/oauth\/codex\/(?<id>[\w-]{1,64})\/client\.json$/,
    redirects: ['http://127.0.0.1/callback/{id}', 'http://localhost/callback/{id}'],
  },
  {
    name: 'ChatGPT',
    url: /^https:\/\/chatgpt\.com\/oauth\/(?<id>[\w-]{1,64})\/client\.json$/,
    redirects: ['https://chatgpt.com/connector/oauth/{id}'],
  },
  {
    name: 'Visual Studio Code',
    url: /^https:\/\/vscode\.dev\/oauth\/client-metadata\.json$/,
    redirects: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
];

/** The document that belongs to a URL, as JSON; undefined for a client that is not known. */
export function knownDocument(url: string): string | undefined {
  for (const { name, url: pattern, redirects } of known) {
    const match = pattern.exec(url);
    if (match === null) continue;
    const id = match.groups?.['id'] ?? '';
    return JSON.stringify({
      client_id: url,
      client_name: name,
      redirect_uris: redirects.map((redirect) => redirect.replace('{id}', id)),
    });
  }
  return undefined;
}
