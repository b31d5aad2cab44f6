// The monitor program: Claude Code runs it beside a session once the join skill was used, and hands
// each line it prints to the conversation, which starts a turn if it is idle.
import { setTimeout as sleep } from 'node:timers/promises';
import { homeFolder } from '../../../bridge/node/files/paths.ts';
import { ancestors, isAlive } from './ancestors.ts';
import { Listener } from './listener.ts';

const lookEveryMs = 250;

async function run(): Promise<void> {
  const home = homeFolder(process.env);
  const { CLAUDE_PID: told } = process.env;
  const candidates = told === undefined ? ancestors() : [Number(told), ...ancestors()];
  // Whoever reads the lines is gone.
  process.stdout.on('error', () => process.exit());
  const listener = new Listener({
    home,
    candidates,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  const parent = process.ppid;
  // Claude Code that was killed tells nobody.
  while (isAlive(listener.owner ?? parent)) {
    await listener.look();
    await sleep(lookEveryMs);
  }
  await listener.close();
}

void run();
