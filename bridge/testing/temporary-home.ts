// For tests: a home folder for a whole file of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandry-home-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
