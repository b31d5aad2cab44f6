// Makes installable packages: bundles without runtime dependencies, the files around them, and the
// licences of what is inside.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import type { ClientPackage } from '../package.ts';
import { notices } from './notices.ts';
import { root } from './root.ts';

export interface BuildOptions {
  clients: readonly ClientPackage[];
  /** Folder of the packages, one folder per host, each made anew. */
  out: string;
  /** URL of the Hub that the packages talk to unless told otherwise. */
  hub?: string | undefined;
}

export interface BuiltPackage {
  host: string;
  folder: string;
  /** Bytes of each bundle, by its path in the package. */
  sizes: Readonly<Record<string, number>>;
}

export async function buildClients({ clients, out, hub }: BuildOptions): Promise<BuiltPackage[]> {
  const manifest = await readFile(join(root, 'package.json'), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  return await Promise.all(
    clients.map((client) => buildClient(client, { folder: join(out, client.host), hub, version })),
  );
}

interface Target {
  folder: string;
  hub: string | undefined;
  version: string;
}

async function buildClient(client: ClientPackage, target: Target): Promise<BuiltPackage> {
  const { folder, version } = target;
  await rm(folder, { recursive: true, force: true });
  const { outputs, inputs } = await bundle(client, target);
  for (const [path, content] of Object.entries(client.files({ version }))) {
    const text =
      typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`;
    await write(join(folder, path), text);
  }
  const licence = await readFile(join(root, 'LICENSE'), 'utf8');
  for (const noticeFolder of client.noticeFolders) {
    await write(join(folder, noticeFolder, 'LICENSE'), licence);
    await write(join(folder, noticeFolder, 'THIRD-PARTY-NOTICES.txt'), await notices(inputs));
  }
  return { host: client.host, folder, sizes: outputs };
}

async function bundle({ bundles }: ClientPackage, { folder, hub, version }: Target) {
  const entryPoints = Object.entries(bundles).map(([path, entry]) => ({
    in: entry,
    out: path.replace(/\.cjs$/, ''),
  }));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    // Optional parts of `ws` in native code; without them it does the same.
    external: ['bufferutil', 'utf-8-validate'],
    define: {
      TANDRY_BUILD_VERSION: JSON.stringify(version),
      ...(hub !== undefined && { TANDRY_BUILD_HUB: JSON.stringify(hub) }),
    },
  });
  const sizes = Object.entries(bundles).map(([path, entry]): [string, number] => {
    const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === entry);
    return [path, output?.bytes ?? 0];
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? path : [],
    ),
  );
  return { outputs: Object.fromEntries(sizes), inputs };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
