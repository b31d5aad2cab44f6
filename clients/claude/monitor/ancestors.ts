// The processes above this one: Claude Code is one of them, with a shell in between or not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const maxSteps = 3;

/** Process IDs, nearest first. */
export function ancestors(): number[] {
  const found: number[] = [];
  let pid: number | undefined = process.ppid;
  while (pid !== undefined && pid > 1 && found.length < maxSteps) {
    found.push(pid);
    pid = parentOf(pid);
  }
  return found;
}

function parentOf(pid: number): number | undefined {
  const text = process.platform === 'linux' ? statOf(pid) : psOf(pid);
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** The fourth field; the second is a name in parentheses, which may hold anything. */
function statOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
  }
}

/** Where there is no such program, only the parent is known. */
function psOf(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim();
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may be another user's, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
