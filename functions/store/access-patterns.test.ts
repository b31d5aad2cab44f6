// docs/data-model.md lists what the store can do: its chart and the exports are the same names.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as accounts from './accounts.ts';
import * as attempts from './attempts.ts';
import * as authRecords from './auth-records.ts';
import { changeRoom } from './change-room.ts';
import * as clientDocuments from './client-documents.ts';
import * as conversations from './conversations.ts';
import * as devices from './devices.ts';
import * as grants from './grants.ts';
import * as links from './links.ts';
import * as log from './log.ts';
import * as logins from './logins.ts';
import * as members from './members.ts';
import * as messages from './messages.ts';
import * as positions from './positions.ts';
import * as purge from './purge.ts';
import * as rooms from './rooms.ts';
import * as tokens from './tokens.ts';

const document = readFileSync(new URL('../../docs/data-model.md', import.meta.url), 'utf8');

function section(heading: string): string {
  return document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

function namesIn(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) =>
    [...row.matchAll(/`([a-z][A-Za-z]+)`/g)].map(([, name]) => name ?? ''),
  );
}

const exported = [
  accounts,
  attempts,
  authRecords,
  clientDocuments,
  conversations,
  devices,
  grants,
  links,
  log,
  logins,
  members,
  messages,
  positions,
  purge,
  rooms,
  tokens,
]
  .flatMap((module) => Object.entries(module))
  .filter(([, value]) => typeof value === 'function')
  .map(([name]) => name)
  .sort();

describe('docs/data-model.md', () => {
  it('charts every exported access pattern and write, and nothing that is not there', () => {
    const charted = [...namesIn(section('Access patterns')), ...namesIn(section('Writes'))];
    expect([...new Set(charted)].sort()).toEqual(exported);
  });

  it('describes the one way a room changes', () => {
    expect(section('Writes')).toContain(`\`${changeRoom.name}\``);
  });
});
