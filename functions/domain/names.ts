// Naming a new member (protocol, section 2, join).
import { slugMemberName } from '../../protocol/ids.ts';
import type { HostKind } from '../../protocol/nouns.ts';

const maxLength = 40;

/** Proposed name, else repository, else host kind; always a legal member name. */
export function proposedName(name: string | undefined, repo: string, host: HostKind): string {
  const repository = repo
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.git$/, '');
  return (
    (name === undefined ? undefined : slugMemberName(name)) ??
    (repository === undefined ? undefined : slugMemberName(repository)) ??
    host
  );
}

/** First free of `name`, `name-2`, `name-3`…, cut so that the suffix fits. */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  let candidate = name;
  for (let suffix = 2; isTaken(candidate); suffix += 1) {
    const ending = `-${suffix}`;
    candidate = `${name.slice(0, maxLength - ending.length).replace(/-+$/, '')}${ending}`;
  }
  return candidate;
}
