// Folder boundaries, and that the tool that checks them sees imports at all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Check } from '../check.ts';
import { root } from './sources.ts';

const folders = [
  'protocol',
  'functions',
  'infra',
  'local',
  'bridge',
  'clients',
  'conformance',
  'bench',
  'hosts',
];

const Report = z.object({
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
    totalCruised: z.number(),
  }),
});

/** Cruises the folders below `cwd` by the project's rules. */
function cruise(cwd: string): z.infer<typeof Report>['summary'] {
  const bin = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const config = join(root, '.dependency-cruiser.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      bin,
      '--config',
      config,
      '--output-type',
      'json',
      ...folders.filter((f) => existsSync(join(cwd, f))),
    ],
    { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  const parsed = Report.safeParse(stdout === '' ? undefined : JSON.parse(stdout));
  if (!parsed.success) throw new Error(`dependency-cruiser gave no report: ${stderr}`);
  return parsed.data.summary;
}

/** Imports that must be refused, planted in a tree of their own. */
const planted: Readonly<Record<string, string>> = {
  'protocol/clock.ts':
    "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
  'functions/domain/rule.ts': "import { key } from '../store/key.ts';\nexport const rule = key;\n",
  'functions/store/key.ts':
    "import type { Op } from '../operations/op.ts';\nexport const key: Op = 1;\n",
  'functions/operations/op.ts': 'export type Op = number;\n',
  'clients/one/shell.ts': "export { other } from '../another/shell.ts';\n",
  'clients/another/shell.ts': 'export const other = 1;\n',
};
const expected = [
  'clients/one/shell.ts',
  'functions/domain/rule.ts',
  'functions/store/key.ts',
  'protocol/clock.ts',
] as const;

function cruisePlanted(): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), 'tandry-planted-'));
  try {
    for (const [path, text] of Object.entries(planted)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    writeFileSync(join(cwd, 'tsconfig.json'), '{}');
    const found = new Set(cruise(cwd).violations.map(({ from }) => from));
    return expected.filter((path) => !found.has(path)).map((path) => `not refused: ${path}`);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

export const boundaries: readonly Check[] = [
  {
    name: 'folder boundaries',
    run: () => {
      const { violations, totalCruised } = cruise(root);
      if (totalCruised === 0) return ['no module was seen'];
      return violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
    },
  },
  { name: 'folder boundaries refuse planted imports', run: cruisePlanted },
];
