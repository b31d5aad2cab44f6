// The functions' bundles as they are deployed: how large, and how long fresh processes load them.
// The yardstick is a handler that has only the SDK, bundled as anybody would.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import * as z from 'zod';
import * as environments from '../functions/env.ts';
import { bundle } from '../infra/bundle.ts';
import { median } from './statistics.ts';

const functionsFolder = join(import.meta.dirname, '..', 'functions');
const suffix = '.lambda.ts';

export const yardstick = 'SDK only';

/** Names of the deployed functions. */
export const functionNames = readdirSync(functionsFolder)
  .filter((name) => name.endsWith(suffix))
  .map((name) => name.slice(0, -suffix.length));

function build(name: string, outfile: string): void {
  if (name !== yardstick) {
    bundle(join(functionsFolder, name + suffix), outfile);
    return;
  }
  buildSync({
    entryPoints: [join(import.meta.dirname, 'sdk-only.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
  });
}

export interface LoadedBundle {
  readonly name: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Milliseconds from before `require` to after it, one for each process. */
  readonly loads: readonly number[];
}

/** How many times as long as the other one a bundle loads: the median of neighbouring processes. */
export function loadRatio({ loads }: LoadedBundle, other: LoadedBundle): number {
  return median(loads.map((ms, round) => ms / (other.loads[round] ?? Number.NaN)));
}

/**
 * Bundles functions, or the yardstick, and loads each in so many processes of its own, in turns, so
 * that whatever else the machine does meets all of them alike.
 */
export function loadBundles(names: readonly string[], rounds: number): readonly LoadedBundle[] {
  const folder = mkdtempSync(join(tmpdir(), 'tandry-bundles-'));
  try {
    const built = names.map((name, index) => {
      const file = join(folder, `${index}.js`);
      build(name, file);
      const code = readFileSync(file);
      const sizes = { bytes: code.length, gzipBytes: gzipSync(code).length };
      return { name, file, ...sizes, loads: [] as number[] };
    });
    for (let round = 0; round < rounds; round += 1) {
      for (const { file, loads } of built) loads.push(loadOnce(file));
    }
    return built;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const program = `
const startedAt = process.hrtime.bigint();
require(process.argv[1]);
process.stdout.write(String(Number(process.hrtime.bigint() - startedAt) / 1e6));
process.exit();`;

function loadOnce(file: string): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program, file], {
    encoding: 'utf8',
    env: { ...requiredSettings(), AWS_REGION: 'eu-central-1' },
  });
  if (stdout === '') throw new Error(`${file} did not load: ${stderr.trim()}`);
  return Number(stdout);
}

/** Something that every check of a setting accepts: a text, a secret, an origin. */
const anySetting = 'https://something-long-enough.example';

/** All that the functions want from their environment; what may be left out is. */
function requiredSettings(): Record<string, string> {
  const schemas = Object.values(environments).filter((one) => one instanceof z.ZodObject);
  const names = schemas.flatMap(({ shape }) =>
    Object.entries<z.ZodType>(shape)
      .filter(([, setting]) => !setting.safeParse(undefined).success)
      .map(([name]) => name),
  );
  return Object.fromEntries(names.map((name) => [name, anySetting]));
}
