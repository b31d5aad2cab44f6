// IAM's wildcards: `*` is any run of characters, `?` any one.

const compiled = new Map<string, RegExp>();

/** Whether the whole text matches the pattern; case counts. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const source = pattern
      .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
      .replaceAll(/\*+/g, '.*')
      .replaceAll('?', '.');
    expression = new RegExp(`^${source}$`, 'su');
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}

/** Whether the ARN matches the pattern: part by part, so that a `*` never runs over a `:`. */
export function matchesArn(pattern: string, arn: string): boolean {
  const patterns = arnParts(pattern);
  const parts = arnParts(arn);
  return (
    patterns.length === parts.length &&
    patterns.every((part, index) => matchesWildcard(part, parts[index] ?? ''))
  );
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  // The sixth part, the resource, may hold colons of its own.
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}
