// Which host a connector's conversations are in, by its OAuth client (protocol, section 4): never
// by what the client calls itself.
import type { HostKind } from '../../../../protocol/nouns.ts';

/** Documents of programs on somebody's machine, which stand at the host of a web chat. */
const programs = [
  /^https:\/\/claude\.ai\/oauth\/claude-code-client-metadata$/,
  /^https:\/\/chatgpt\.com\/oauth\/codex\//,
];

const hostKinds: Readonly<Record<string, HostKind>> = {
  'claude.ai': 'claude-web',
  'claude.com': 'claude-web',
  'chatgpt.com': 'chatgpt-web',
};

/** `clientId` is a URL for a client with a document; a registered one is known by its redirects. */
export function hostKindOf(clientId: string, redirectUris: readonly string[]): HostKind {
  if (programs.some((program) => program.test(clientId))) return 'web';
  const places = URL.canParse(clientId) ? [clientId] : redirectUris;
  const kinds = new Set(places.map((place) => hostKinds[URL.parse(place)?.host ?? ''] ?? 'web'));
  const [kind = 'web'] = kinds;
  return kinds.size === 1 ? kind : 'web';
}
