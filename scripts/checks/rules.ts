// Rules of the house that no linter knows.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { root, type Source } from './sources.ts';

/** Lines of `sources` that match, told as `path:line`. */
function matches(sources: readonly Source[], pattern: RegExp, why: string): string[] {
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line)
        ? [`${path}:${index + 1}: ${why}`]
        : [],
    ),
  );
}

const within = (sources: readonly Source[], folder: string) =>
  sources.filter(({ path, isTest }) => path.startsWith(`${folder}/`) && !isTest);

export function rules(all: readonly Source[]): readonly Check[] {
  const functions = within(all, 'functions');
  const infra = within(all, 'infra');
  const store = within(all, 'functions/store');
  return [
    {
      name: 'the environment is read in one place',
      run: () =>
        matches(
          [...functions, ...infra, ...within(all, 'protocol')].filter(
            ({ path }) => path !== 'functions/env.ts' && path !== 'infra/config.ts',
          ),
          /process\.env/,
          'read it in functions/env.ts or infra/config.ts',
        ),
    },
    {
      name: 'keys are built in one place',
      run: () =>
        matches(
          functions.filter(({ path }) => !/store\/(keys|table)\.ts$/.test(path)),
          /['"`](ROOM|MEMBER|CURSOR|LINK|ADDRESS|SITE|LOG|REPLY|MESSAGE|ACCOUNT|CONVERSATION|HANDLE|CODE|TOKEN|CONNECTION|DEVICE|AUTH)#/,
          'build keys in functions/store/keys.ts',
        ),
    },
    {
      name: 'no Scan',
      run: () => matches([...functions, ...infra], /\bScan(Command)?\b/, 'query a partition'),
    },
    {
      name: 'zod is imported whole',
      run: () =>
        matches(all, /import\s+\{[^}]*\}\s+from 'zod'/, "write import * as z from 'zod'").filter(
          (finding) => !finding.includes('import type'),
        ),
    },
    {
      name: 'no dispatch by cast',
      run: () =>
        matches(
          [...within(all, 'functions/operations'), ...within(all, 'functions/bindings'), ...store],
          /\bas (?!const\b)[A-Z{([]|\bas (unknown|never|any)\b/,
          'let the types do the work',
        ).filter((finding) => !finding.includes('import')),
    },
    {
      name: 'no test is skipped or focused',
      run: () =>
        matches(
          all.filter(({ isTest }) => isTest),
          /\b(it|test|describe)\.(skip|only|todo|skipIf|runIf)\b/,
          'run it or delete it',
        ),
    },
    {
      name: 'tests wait for events, not for time',
      run: () =>
        matches(
          all.filter(({ path }) => path.endsWith('.test.ts')),
          /await (sleep|delay|setTimeout)\(\s*\d{3,}/,
          'wait for the event with a deadline',
        ),
    },
    { name: 'nothing names a registry or a path of this machine', run: namesOfMachines },
  ];
}

/** Text files that travel: an address of a registry in the lock file would only work here. */
function namesOfMachines(): string[] {
  const forbidden = /registry\.npmjs\.org|\/work\/main|\/root\/|\.\.\/shared/;
  const locks = ['package-lock.json', 'hosts/package-lock.json'];
  const files = [...locks, 'README.md', 'AGENTS.md', 'CHANGELOG.md', ...textsIn('docs')];
  return files.filter((file) => {
    try {
      return forbidden.test(readFileSync(join(root, file), 'utf8'));
    } catch {
      return false;
    }
  });
}

function textsIn(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    return statSync(join(root, path)).isDirectory() ? textsIn(path) : [path];
  });
}
