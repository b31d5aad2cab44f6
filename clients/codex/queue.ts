// Wakes an idle thread: `codex queue` stores a prompt that Codex runs as a turn of its own.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';

export const queueTimeoutMs = 30_000;

export interface QueueCommand {
  /** A program, or for a shell the whole line. */
  file: string;
  args: string[];
  /** Whether a shell has to start it. */
  shell: boolean;
}

/**
 * The command that queues a prompt. On Windows npm installs `codex` as a `.cmd` file, which only
 * a shell can start; there it throws if a text cannot be quoted for it.
 */
export function queueCommand(
  thread: string,
  prompt: string,
  platform: NodeJS.Platform = process.platform,
): QueueCommand {
  const args = ['queue', `--thread=${thread}`, `--message=${prompt}`];
  if (platform !== 'win32') return { file: 'codex', args, shell: false };
  return { file: ['codex', ...args.map(quotedForCmd)].join(' '), args: [], shell: true };
}

/** Within quotes cmd.exe takes everything literally but these, and our notices have none. */
function quotedForCmd(text: string): string {
  if (/["%!\r\n]|\\$/.test(text)) throw new Error('this text cannot be passed to codex queue');
  return `"${text}"`;
}

/** What is known of a call that failed. */
export interface QueueFailure {
  code?: string | number | null | undefined;
  killed?: boolean | undefined;
  stderr: string;
}

/** One sentence for people. What Codex printed stays here: it may quote anything. */
export function queueFailureReason({ code, killed, stderr }: QueueFailure): string {
  if (code === 'ENOENT') return 'the codex command is not on the PATH of the plugin.';
  if (killed) return `codex queue took longer than ${queueTimeoutMs / 1_000} s.`;
  if (stderr.includes('no rollout found')) return 'this thread has not had its first turn yet.';
  return `codex queue ended with the exit code ${code}.`;
}

/** Resolves once Codex has stored the prompt, which is before it runs; rejects with a reason. */
export function queuePrompt(thread: string, prompt: string): Promise<void> {
  const { file, args, shell } = queueCommand(thread, prompt);
  // The plugin's own folder may be replaced by an update while this process runs.
  const options = { shell, cwd: homedir(), timeout: queueTimeoutMs, windowsHide: true };
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, _stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(queueFailureReason({ ...error, stderr })));
    });
    child.stdin?.end();
  });
}
