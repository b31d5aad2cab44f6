// `npm run demo` as a program, in a process group of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';

export interface DemoRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: unknown;
  /** Whether anything of it is still there; whatever it started would be in its group. */
  readonly isAlive: () => boolean;
}

export async function runDemo(...options: string[]): Promise<DemoRun> {
  const program = join(import.meta.dirname, '..', 'main.ts');
  const demo = spawn(process.execPath, [program, ...options], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(demo.stdout),
    text(demo.stderr),
    once(demo, 'close'),
  ]);
  return { stdout, stderr, code, isAlive: () => isAlive(-(demo.pid ?? 0)) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What was read after the last line that starts like this. */
export function readAfter({ stdout }: DemoRun, what: string): string {
  const at = stdout.lastIndexOf(`\n● ${what}`);
  expect(at, `“${what}” is shown`).toBeGreaterThanOrEqual(0);
  const [shown = ''] = stdout.slice(at + 1).split('\n\n');
  const [, ...lines] = shown.split('\n');
  return lines.map((line) => line.replace(/^ {2}│ ?/, '')).join('\n');
}
