// Where a local Hub runs and where people sign in to it, written by the runner for the programs of
// the same checkout: `.local/hubs/<port>.json`.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

export const HubRecord = z.object({
  /** The Hub's URL; one local Hub per port. */
  url: z.url(),
  cognito: z.object({
    baseUrl: z.url(),
    issuer: z.url(),
    /** The website's public client. */
    clientId: z.string().min(1),
  }),
});
export type HubRecord = z.infer<typeof HubRecord>;

const recordFolder = join(import.meta.dirname, '..', '.local', 'hubs');
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

function fileOf(url: string, folder: string): string {
  const { port, protocol } = new URL(url);
  return join(folder, `${port || defaultPorts[protocol]}.json`);
}

/** Says where a Hub runs, in place of what was said of its port before. */
export function writeHubRecord(record: HubRecord, folder = recordFolder): void {
  const file = fileOf(record.url, folder);
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(HubRecord.parse(record), null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** What was last said of the port of `url`; undefined if nothing, or nothing that can be read. */
export function readHubRecord(url: string, folder = recordFolder): HubRecord | undefined {
  try {
    return HubRecord.parse(JSON.parse(readFileSync(fileOf(url, folder), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Forgets the Hub on the port of `url`; nothing happens if there is no record of it. */
export function removeHubRecord(url: string, folder = recordFolder): void {
  rmSync(fileOf(url, folder), { force: true });
}
