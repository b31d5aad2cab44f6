// The licences of the packages inside a bundle, as those licences ask for.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from './root.ts';

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});

interface Bundled extends z.infer<typeof Manifest> {
  /** Licence and notice texts in the package; empty if it has none. */
  text: string;
}

const divider = `\n${'-'.repeat(80)}\n\n`;

/** The text for what was bundled from these files, given by their paths in this repository. */
export async function notices(inputs: readonly string[]): Promise<string> {
  const folders = new Set<string>();
  for (const input of inputs) {
    const folder = packageFolder(input);
    if (folder === undefined) continue;
    folders.add(folder);
    for (const inner of await bundledBefore(input)) folders.add(inner);
  }
  const packages = await Promise.all(Array.from(folders).sort().map(readPackage));
  const parts = packages.map((bundled) => notice(bundled, packages));
  return ['The programs in this package contain the following packages.\n', ...parts].join(divider);
}

/** The innermost package that a file belongs to; undefined for our own. */
function packageFolder(input: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

/** Packages that the makers of a file put into it; their bundler says so in comments. */
async function bundledBefore(input: string): Promise<string[]> {
  const text = await readFile(join(root, input), 'utf8');
  const regions = text.matchAll(/^\/\/#region .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm);
  return Array.from(regions, ([, name = '']) => `node_modules/${name}`);
}

async function readPackage(folder: string): Promise<Bundled> {
  const path = join(root, folder);
  const manifest = Manifest.parse(JSON.parse(await readFile(join(path, 'package.json'), 'utf8')));
  const names = (await readdir(path)).filter((name) => /^(licen[cs]e|notice)/i.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
  return { ...manifest, text: texts.map((text) => text.trim()).join('\n\n') };
}

function notice(bundled: Bundled, packages: readonly Bundled[]): string {
  const { name, version, license } = bundled;
  // One licence may stand for all packages of a repository.
  const holder = [bundled, ...packages.filter((other) => isSibling(bundled, other))].find(
    ({ text }) => text !== '',
  );
  if (holder === undefined) throw new Error(`${name} has no licence text: it may not be passed on`);
  return `${name} ${version} (${license})\n\n${holder.text}\n`;
}

function isSibling(one: Bundled, other: Bundled): boolean {
  const url = urlOf(one);
  return url !== undefined && url === urlOf(other) && one.license === other.license;
}

function urlOf({ repository }: Bundled): string | undefined {
  return typeof repository === 'string' ? repository : repository?.url;
}
