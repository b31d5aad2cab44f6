// The rules about clients that need no server.
import { describe, expect, it } from 'vitest';
import { hostKindOf } from './host-kind.ts';
import { redirectRules } from './redirects.ts';
import { readRegistration } from './registration.ts';

const rules = redirectRules([
  'https://tools.example.com/callback',
  'https://apps.example.com/cb/*',
]);

describe('redirect URIs', () => {
  it.each([
    'http://127.0.0.1:49152/callback',
    'http://localhost/anything?x=1',
    'http://[::1]:8080/',
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
    'https://chatgpt.com/connector_platform_oauth_redirect',
    'https://chatgpt.com/connector/oauth/Ab-1_c',
    'https://vscode.dev/redirect',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://tools.example.com/callback',
    'https://apps.example.com/cb/one',
  ])('may be %s', (uri) => {
    expect(rules.isAllowed(uri)).toBe(true);
  });

  it.each([
    'https://claude.ai/api/mcp/auth_callback/',
    'https://claude.ai/api/mcp/auth_callback?next=https://evil.example.com',
    'https://claude.ai.evil.example.com/api/mcp/auth_callback',
    'https://claude.ai@evil.example.com/api/mcp/auth_callback',
    'http://claude.ai/api/mcp/auth_callback',
    'https://chatgpt.com/connector/oauth/',
    'https://chatgpt.com/connector/oauth/a/b',
    'https://chatgpt.com/connector/oauth/..%2f..%2fevil',
    'https://chatgpt.com/connector/oauth/a?b',
    'https://127.0.0.1/callback',
    'http://127.0.0.1.evil.example.com/callback',
    'http://localhost@evil.example.com/callback',
    'http://user@localhost/callback',
    'http://localhost/callback#fragment',
    'http://localhost/callback?iss=https://evil.example.com',
    'http://localhost/callback?code=planted',
    'http://0.0.0.0/callback',
    'http://192.168.1.2/callback',
    'javascript:alert(1)',
    'custom://app/callback',
    'nonsense',
    '',
  ])('may not be %s', (uri) => {
    expect(rules.isAllowed(uri)).toBe(false);
  });

  it('may be of a document’s own origin, for that document', () => {
    const clientId = 'https://client.example.com/oauth/client.json';
    expect(rules.isAllowedFor(clientId, 'https://client.example.com/cb')).toBe(true);
    expect(rules.isAllowedFor(clientId, 'https://other.example.com/cb')).toBe(false);
    expect(rules.isAllowedFor(clientId, 'http://client.example.com/cb')).toBe(false);
    expect(rules.isAllowedFor(clientId, 'https://client.example.com:444/cb')).toBe(false);
    expect(rules.isAllowedFor(clientId, 'https://x@client.example.com/cb')).toBe(false);
    expect(rules.isAllowedFor(clientId, 'https://client.example.com/cb?iss=x')).toBe(false);
    expect(rules.isAllowedFor(clientId, 'https://client.example.com/cb?x=iss')).toBe(true);
  });
});

describe('the host of a connector’s conversations', () => {
  it.each([
    ['https://claude.ai/oauth/mcp-oauth-client-metadata', [], 'claude-web'],
    ['https://claude.ai/oauth/claude-code-client-metadata', [], 'web'],
    ['https://chatgpt.com/oauth/client.json', [], 'chatgpt-web'],
    ['https://chatgpt.com/oauth/a1/client.json', [], 'chatgpt-web'],
    ['https://chatgpt.com/oauth/codex/client.json', [], 'web'],
    ['https://chatgpt.com/oauth/codex/a1/client.json', [], 'web'],
    ['https://chatgpt.com.evil.example.com/client.json', [], 'web'],
    ['https://chatgpt.com:8443/client.json', [], 'web'],
    ['https://vscode.dev/oauth/client-metadata.json', ['https://claude.ai/x'], 'web'],
    ['registered', ['https://claude.ai/api/mcp/auth_callback'], 'claude-web'],
    [
      'registered',
      ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      'claude-web',
    ],
    ['registered', ['https://chatgpt.com/connector/oauth/a'], 'chatgpt-web'],
    ['registered', ['https://claude.ai/api/mcp/auth_callback', 'http://localhost/cb'], 'web'],
    ['registered', ['http://localhost/cb'], 'web'],
    ['registered', [], 'web'],
  ] as const)('is told by its client, never by its name: %s %j', (clientId, redirects, host) => {
    expect(hostKindOf(clientId, redirects)).toBe(host);
  });
});

describe('a registration', () => {
  const read = (body: unknown) => readRegistration(rules, JSON.stringify(body));

  it('keeps what counts and makes the client a public one', () => {
    const read_ = read({
      client_name: 'A client',
      redirect_uris: ['http://localhost:1234/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      logo_uri: 'https://tracker.example.com/x.png',
      scope: 'admin',
      jwks_uri: 'https://169.254.169.254/',
    });
    expect('registration' in read_ && JSON.parse(read_.registration)).toEqual({
      client_name: 'A client',
      redirect_uris: ['http://localhost:1234/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
  });

  it.each([
    ['too large', { client_name: 'x', redirect_uris: [], extra: 'x'.repeat(4_096) }, 413],
    ['no object', [], 400],
    ['with too many redirect URIs', { redirect_uris: Array(6).fill('http://localhost/') }, 400],
    ['with a long redirect URI', { redirect_uris: [`http://localhost/${'x'.repeat(500)}`] }, 400],
    ['with redirect URIs that are none', { redirect_uris: [{}] }, 400],
  ])('%s is refused', (_, body, status) => {
    expect(read(body)).toMatchObject({ status, error: 'invalid_client_metadata' });
  });

  it('that is no JSON is refused', () => {
    expect(readRegistration(rules, '{')).toMatchObject({ error: 'invalid_client_metadata' });
  });

  it.each([
    [[]],
    [['https://evil.example.com/cb']],
    [['http://localhost/cb', 'https://evil.example.com/cb']],
  ])('with redirect URIs that are not allowed is refused: %j', (redirect_uris) => {
    expect(read({ redirect_uris })).toMatchObject({ error: 'invalid_redirect_uri' });
  });
});
