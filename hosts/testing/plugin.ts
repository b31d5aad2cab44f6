// The plugin's package, made by the same program as for people.
import { rmSync } from 'node:fs';
import { buildClients } from '../../clients/build/build.ts';
import { codex } from '../../clients/codex/package.ts';
import { newFolder } from './folders.ts';

export interface BuiltPlugin {
  folder: string;
  remove: () => void;
}

export async function buildPlugin(): Promise<BuiltPlugin> {
  const out = newFolder('plugin');
  const [built] = await buildClients({ clients: [codex], out });
  if (built === undefined) throw new Error('nothing was built');
  return { folder: built.folder, remove: () => rmSync(out, { recursive: true, force: true }) };
}
