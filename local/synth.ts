// The project's cloud assembly, synthesized anew only when something that goes into it has changed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './start-error.ts';

const projectRoot = join(import.meta.dirname, '..');
const inputs = [
  'infra/**',
  'functions/**',
  'protocol/**',
  'package.json',
  'package-lock.json',
  'cdk.json',
  'tsconfig.json',
];

const keptMs = 24 * 60 * 60_000;

/** SHA-256 over names and contents of everything the assembly is made from; tests are not. */
function hashInputs(): string {
  const hash = createHash('sha256');
  const files = globSync(inputs, { cwd: projectRoot })
    .filter((file) => !file.endsWith('.test.ts') && statSync(join(projectRoot, file)).isFile())
    .sort();
  for (const file of files) {
    hash.update(`${file.replaceAll(sep, '/')}\0`);
    hash.update(readFileSync(join(projectRoot, file))).update('\0');
  }
  return hash.digest('hex').slice(0, 24);
}

/** In a process of its own, because the CDK keeps some 150 MB and writes to the terminal. */
async function synthesizeInto(folder: string): Promise<void> {
  const program = `import { synthesize } from './infra/synthesize.ts'; synthesize(process.argv[1]);`;
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const args = [...flags, '--input-type=module', '--eval', program, folder];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: projectRoot });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new StartError(`The CDK app does not synthesize:\n${said.trim()}`);
  }
  // On Lambda nothing above the bundle says `"type": "module"`, as the project's own file does.
  writeFileSync(join(folder, 'package.json'), '{}\n');
}

/** Removes what nobody has made or used the like of for a day. */
function removeOld(parent: string): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    const ageMs = Date.now() - statSync(folder).mtimeMs;
    if (ageMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The folder of the assembly, `.local/synth/<hash of its inputs>`; made if it is not there yet.
 * @param onSynth told when it has to be made, which takes some seconds
 */
export async function synthesizeCached(onSynth: () => void = () => {}): Promise<string> {
  const parent = join(projectRoot, '.local', 'synth');
  const folder = join(parent, hashInputs());
  const isDone = () => existsSync(join(folder, 'manifest.json'));
  if (isDone()) return folder;
  onSynth();
  if (existsSync(parent)) removeOld(parent);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await synthesizeInto(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process that started at the same time may have been first, with the same content.
    if (!isDone()) throw error;
  }
  return folder;
}
