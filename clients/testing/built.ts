// For tests: the package of a client as it ships, in a folder whose name is hard on shells.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { buildClients } from '../build/build.ts';
import type { ClientPackage } from '../package.ts';

/** Builds once per test file, which calls this at its top; gives the package's folder. */
export async function builtPackage(client: ClientPackage, hub?: string): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), "tandry's (built) "));
  afterAll(() => rm(out, { recursive: true, force: true }));
  const [built] = await buildClients({ clients: [client], out, hub });
  return built?.folder ?? '';
}

export async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
