// The paths that the authorization server serves, spelled just so. The library's router takes other
// spellings for the same (letters of another case, a slash at the end, dots), and what only it
// takes for a limited path would pass the limits by.

const asked = ['GET'];
const shown = ['GET', 'POST'];
const readByPages = ['GET', 'OPTIONS'];
const postedByPages = ['POST', 'OPTIONS'];

const served: readonly [path: RegExp, methods: readonly string[]][] = [
  [/^\/\.well-known\/oauth-authorization-server$/, readByPages],
  [/^\/\.well-known\/oauth-protected-resource(\/mcp)?$/, readByPages],
  [/^\/oauth\/authorize(\/[\w-]+)?$/, asked],
  [/^\/oauth\/callback$/, asked],
  [/^\/oauth\/(consent|handle)\/[\w-]+$/, shown],
  [/^\/oauth\/(token|register|revoke|device_authorization)$/, postedByPages],
  [/^\/device$/, shown],
  [/^\/device\/decide$/, ['POST']],
];

/** The methods that a path takes, as the event has it; undefined for one that is not there. */
export function methodsOf(rawPath: string): readonly string[] | undefined {
  return served.find(([path]) => path.test(rawPath))?.[1];
}
