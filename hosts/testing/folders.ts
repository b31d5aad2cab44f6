// Folders that only a test uses. They are not below the system's temporary folder, where Codex
// refuses to put its programs and says so on every call.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

const parent = join(import.meta.dirname, '..', '..', '.local', 'hosts');

export function newFolder(name: string): string {
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}
