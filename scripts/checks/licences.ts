// Licences: every installed package has a permissive one, and docs/licences.md lists the direct
// ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Check } from '../check.ts';
import { root } from './sources.ts';

const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Tools of the build that ship with nothing: file-level copyleft is no concern there. */
const buildOnly = new Set(['MPL-2.0']);

const Manifest = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

function manifest(folder: string): z.infer<typeof Manifest> | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? Manifest.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

function licenceOf({ license }: z.infer<typeof Manifest>): string {
  return typeof license === 'string' ? license : (license?.type ?? 'none');
}

/** `(MIT OR CC0-1.0)` and the like: one permissive alternative is enough. */
function isPermissive(licence: string): boolean {
  const alternatives = licence.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((alternative) =>
    alternative.split(' AND ').every((one) => permissive.has(one) || buildOnly.has(one)),
  );
}

function installed(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return [];
    const path = join(folder, name);
    if (name.startsWith('@')) return installed(path);
    return [path, ...installed(join(path, 'node_modules'))];
  });
}

function findUnpermissive(): string[] {
  return installed(join(root, 'node_modules')).flatMap((folder) => {
    const found = manifest(folder);
    if (found?.name === undefined || found.version === undefined) return [];
    const licence = licenceOf(found);
    return isPermissive(licence) ? [] : [`${found.name}@${found.version}: ${licence}`];
  });
}

/** The table that docs/licences.md has to hold. */
function table(): string {
  const own = manifest(root);
  const names = Object.keys({
    ...own?.dependencies,
    ...own?.devDependencies,
    ...own?.optionalDependencies,
  }).sort();
  const rows = names.map((name) => {
    const found = manifest(join(root, 'node_modules', name));
    // An optional package of another platform is not installed here; its row stays as it is.
    if (found === undefined) return undefined;
    const use = own?.dependencies[name] === undefined ? 'build and test' : 'deployed';
    return `| ${name} | ${licenceOf(found)} | ${use} |`;
  });
  return rows.filter((row) => row !== undefined).join('\n');
}

function findUnlisted(): string[] {
  const listed = readFileSync(join(root, 'docs', 'licences.md'), 'utf8');
  const missing = table()
    .split('\n')
    .filter((row) => !listed.includes(row));
  const names = new Set(table().match(/^\| [^ ]+/gm));
  const stale = (listed.match(/^\| [@a-z][^ ]*/gm) ?? []).filter(
    (name) => !names.has(name) && name !== '| package',
  );
  return [...missing.map((row) => `missing: ${row}`), ...stale.map((row) => `stale: ${row} |`)];
}

export const licences: readonly Check[] = [
  { name: 'licences are permissive', run: findUnpermissive },
  { name: 'docs/licences.md lists the direct dependencies', run: findUnlisted },
];
