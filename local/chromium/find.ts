// Where a Chromium is on this machine; on Debian one can be installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StartError } from '../start-error.ts';

const packaged = '/usr/bin/chromium';
const install = 'apt-get install -y --no-install-recommends chromium';

export interface FindOptions {
  /** A path given by the person: it counts before all else. */
  readonly given?: string | undefined;
  /** Where Debian's package puts it. */
  readonly packaged?: string;
  /** Runs a command as root and tells whether that went well; undefined for everybody else. */
  readonly runAsRoot?: ((command: string) => boolean) | undefined;
}

function runAsRoot(command: string): boolean {
  console.log(`There is no Chromium here yet: ${command}`);
  return spawnSync(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/** The path of a Chromium. Throws StartError, which says the one thing to do. */
export function findChromium(options: FindOptions = {}): string {
  const root = process.getuid?.() === 0 ? runAsRoot : undefined;
  const settings = { given: process.env['CHROMIUM_PATH'], packaged, runAsRoot: root, ...options };
  const { given = '', packaged: usual } = settings;
  if (given !== '') {
    if (existsSync(given)) return given;
    throw new StartError(`CHROMIUM_PATH is ${given}, where no browser is.`);
  }
  if (existsSync(usual)) return usual;
  const run = settings.runAsRoot;
  if (run?.(install) || run?.(`apt-get update -qq && ${install}`)) return usual;
  throw new StartError(`A browser is needed: ${install}, or name one in CHROMIUM_PATH.`);
}
