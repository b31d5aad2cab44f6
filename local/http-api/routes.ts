// Which route of an HTTP API a request takes: the most specific path, then the method over ANY.

/** A parsed route key such as `POST /v1/{operation}` or `$default`. */
export type Route<Target> = { key: string; target: Target };
export type RouteMatch<Target> = {
  route: Route<Target>;
  /** Percent-decoded; absent without path variables. */
  pathParameters: Record<string, string> | undefined;
};

const segmentsOf = (path: string) => path.split('/').slice(1);

/** Ranks of a segment: text before one variable before a greedy one. */
const rank = { text: 2, variable: 1, greedy: 0 } as const;
type Segment = { kind: keyof typeof rank; name: string };

function parseSegment(text: string): Segment {
  const variable = /^\{(.+?)(\+?)\}$/.exec(text);
  if (!variable) return { kind: 'text', name: text };
  return { kind: variable[2] === '+' ? 'greedy' : 'variable', name: variable[1] ?? '' };
}

function matchPath(segments: Segment[], path: string[]): Record<string, string> | undefined {
  const isGreedy = segments.at(-1)?.kind === 'greedy';
  if (isGreedy ? path.length < segments.length : path.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, { kind, name }] of segments.entries()) {
    const rest = kind === 'greedy' ? path.slice(index).join('/') : (path[index] ?? '');
    if (kind === 'text' ? rest !== name : rest === '') return undefined;
    if (kind !== 'text') parameters[name] = decodeURIComponent(rest);
  }
  return parameters;
}

/** Higher comes first; compares segment by segment from the left. */
function compareSpecificity(left: Segment[], right: Segment[]): number {
  for (const [index, segment] of left.entries()) {
    const other = right[index];
    const difference = other === undefined ? 1 : rank[segment.kind] - rank[other.kind];
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * Makes the function that finds the route of a request; `undefined` is a 404. The path is as it
 * came, still percent-encoded; a malformed one throws a `URIError`.
 */
export function createRouter<Target>(
  routes: readonly Route<Target>[],
): (method: string, path: string) => RouteMatch<Target> | undefined {
  const fallback = routes.find(({ key }) => key === '$default');
  const ordered = routes
    .filter(({ key }) => key !== '$default')
    .map((route) => {
      const [method = '', path = ''] = route.key.split(' ');
      return { route, method, segments: segmentsOf(path).map(parseSegment) };
    })
    .sort(
      (left, right) =>
        compareSpecificity(right.segments, left.segments) ||
        Number(left.method === 'ANY') - Number(right.method === 'ANY'),
    );
  return (method, path) => {
    for (const candidate of ordered) {
      if (candidate.method !== method && candidate.method !== 'ANY') continue;
      const parameters = matchPath(candidate.segments, segmentsOf(path));
      if (!parameters) continue;
      const hasAny = Object.keys(parameters).length > 0;
      return { route: candidate.route, pathParameters: hasAny ? parameters : undefined };
    }
    return fallback && { route: fallback, pathParameters: undefined };
  };
}
