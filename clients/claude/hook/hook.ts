// The hook program: Claude Code starts it at every prompt, tool call and end of a turn, in every
// conversation. So what has not joined is through after two looks at the disk.
import { existsSync } from 'node:fs';
import { homeFolder } from '../../../bridge/node/files/paths.ts';
import { claudePid, conversationFiles, processFiles } from '../files.ts';
import { readEvent } from './event.ts';

async function run(): Promise<void> {
  const event = readEvent();
  if (event === undefined) return;
  const home = homeFolder(process.env);
  const files = {
    ...conversationFiles(home, event.session_id),
    ...processFiles(home, claudePid(process.env)),
  };
  const isJoined = existsSync(files.marker);
  const isOwnTool = event.hook_event_name === 'PreToolUse';
  if (!isJoined && !isOwnTool && !existsSync(files.session)) return;
  const { answer } = await import('./answer.ts');
  const output = await answer(event, { home, files, isJoined });
  if (output !== undefined) process.stdout.write(JSON.stringify(output));
}

void run();
