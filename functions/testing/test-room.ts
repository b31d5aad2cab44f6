// A room with members, ready for a test: accounts have handles, every member a conversation.
import type { HostKind } from '../../protocol/nouns.ts';
import type { Caller, TestHub } from './test-hub.ts';

export interface TestRoom {
  readonly id: string;
  readonly code: string;
  /** The owner's account, as an observer. */
  readonly owner: Caller;
  /** Joins a new conversation of `account`; its address is `<handle>/<name>`. */
  member(account: string, name: string, host?: HostKind): Promise<Caller & { address: string }>;
}

/** Claims handles on first use: the account ID is the handle. */
export async function createTestRoom(
  { call, newId }: TestHub,
  owner = 'owner1',
): Promise<TestRoom> {
  const known = new Set<string>();
  const claim = async (account: string) => {
    if (!known.has(account)) await call('claim_handle', { account }, { handle: account });
    known.add(account);
  };
  await claim(owner);
  const id = newId('r_');
  const made = await call('new_room', { account: owner }, { id, name: 'Room', description: '' });
  return {
    id,
    code: made.code,
    owner: { account: owner, room: id },
    async member(account, name, host = 'codex') {
      await claim(account);
      const caller = { account, room: id, host, conversation: `${host}-${newId('m_')}` };
      const joined = await call('join', caller, {
        code: made.code,
        intro: `I am ${name}.`,
        name,
        workspace: { repo: '', branch: '' },
      });
      return { ...caller, address: joined.member };
    },
  };
}
