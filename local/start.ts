// `npm start`: the whole Hub on this machine until Ctrl-C.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from './stack.ts';
import { synthesizeCached } from './synth.ts';

const root = join(import.meta.dirname, '..', '.local');
const { values } = parseArgs({ options: { port: { type: 'string', default: '8799' } } });
const stack = await startStack({
  assembly: await synthesizeCached(),
  folder: join(root, 'state'),
  port: Number(values.port),
  mode: 'process',
  compileCache: join(root, 'compile-cache'),
  onLog: ({ functionId, line }) => console.log(functionId, line),
  onReport: (r) => console.log(r.functionId, r.cold, r.durationMs),
  onCall: (c) => console.log(c),
});
console.log(`Hub ready: ${stack.url}`);
process.once('SIGINT', () => void stack.close());
process.once('SIGTERM', () => void stack.close());
