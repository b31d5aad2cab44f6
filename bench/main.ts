// `npm run bench`: measurements, printed as tables. Times depend on the machine and are printed
// only;
// units do not, and `npm test` holds them.
//   --quick            smaller rooms, shorter histories, fewer rounds
//   --only <section>   units, latency, links, bundles or cost; may be given again
import { parseArgs } from 'node:util';
import { sections } from './sections.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
});

const unknown = values.only.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) {
  console.error(`No section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`);
  process.exit(2);
}
for (const [name, print] of Object.entries(sections)) {
  if (values.only.length === 0 || values.only.includes(name)) await print(values.quick);
}
