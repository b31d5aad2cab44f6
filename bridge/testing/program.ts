// For tests: a client as a process of its own. Joins if it has not, does what it is told, and ends
// only if nothing keeps it alive. Arguments: Hub, home, conversation, code, `dispose` or `hang`.
import { createNodeBridge } from '../node/create-node-bridge.ts';
import { RecordingShell } from './recording-shell.ts';

const [hub = '', home = '', conversation = '', room = '', ending = ''] = process.argv.slice(2);
const bridge = createNodeBridge({
  ...{ host: 'codex', hub, home, conversation, environment: {} },
  shell: new RecordingShell(),
  folder: () => home,
});

await bridge.start();
if (bridge.status().room === undefined) {
  const { text, isError } = await bridge.call('join', { room, intro: 'A process of its own.' });
  if (isError) throw new Error(text);
}
if (ending === 'hang') {
  const { text } = await bridge.call('inbox', {});
  // The result is out, its delivery is never confirmed.
  process.stdout.write(`${text}\nend of inbox\n`);
} else {
  const online = new Promise<void>((resolve) => {
    bridge.onNotice((notice) => notice !== undefined && resolve());
  });
  await online;
  await bridge.dispose();
  process.stdout.write('disposed\n');
}
