// Takes one rule out of the source text as vitest loads it; nothing on disk or in the product
// changes.
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

/** One place in a file under `functions/`; `find` must stand there exactly once. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** One rule, taken away. */
export interface Mutant {
  readonly patches: readonly Patch[];
  /** Part of the name of the test that has to fail. */
  readonly test: string;
}

const functions = join(import.meta.dirname, '..', '..');

export interface MutantPlugin {
  readonly plugin: Plugin;
  /** What could not be patched: text that stands nowhere, or more than once. */
  readonly faults: () => readonly string[];
}

export function createMutantPlugin({ patches }: Mutant): MutantPlugin {
  const counts = new Map<Patch, number>();
  return {
    faults: () =>
      patches
        .filter((patch) => counts.get(patch) !== 1)
        .map(({ file, find }) => `${file} must hold once: ${find}`),
    plugin: {
      name: 'without-one-rule',
      enforce: 'pre',
      transform(code, id) {
        const here = patches.filter(({ file }) => id === join(functions, file));
        if (here.length === 0) return undefined;
        return here.reduce((text, patch) => {
          counts.set(patch, Math.max(counts.get(patch) ?? 0, text.split(patch.find).length - 1));
          return text.replace(patch.find, () => patch.put);
        }, code);
      },
    },
  };
}
