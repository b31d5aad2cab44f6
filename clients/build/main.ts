// `npm run build:clients`: makes the packages of all hosts, or of those named, in dist/.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { normalizeHub } from '../../bridge/index.ts';
import { buildClients } from './build.ts';
import { clients } from './clients.ts';
import { root } from './root.ts';

const hosts = clients.map(({ host }) => host);
const usage = `Usage: npm run build:clients -- [--hub URL] [--out FOLDER] [${hosts.join('|')}]...`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { hub: { type: 'string' }, out: { type: 'string', default: join(root, 'dist') } },
});
const hub = values.hub === undefined ? undefined : normalizeHub(values.hub);
if (positionals.some((host) => !hosts.includes(host)) || (values.hub !== undefined && !hub)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const wanted = clients.filter(
    ({ host }) => positionals.length === 0 || positionals.includes(host),
  );
  for (const { folder, sizes } of await buildClients({ clients: wanted, out: values.out, hub })) {
    console.log(folder);
    for (const [path, bytes] of Object.entries(sizes)) {
      console.log(`  ${(bytes / 1024).toFixed(1).padStart(7)} KiB  ${path}`);
    }
  }
}
