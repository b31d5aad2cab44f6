// The table of clients: one entry per host with a package.
import { claude } from '../claude/package.ts';
import { codex } from '../codex/package.ts';
import type { ClientPackage } from '../package.ts';

export const clients: readonly ClientPackage[] = [claude, codex];
