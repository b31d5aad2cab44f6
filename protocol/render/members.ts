// How members are described to an agent: as entries of a list, and as recipients it can reach.
import type { MemberView, Presence, RecipientView } from '../nouns.ts';
import { element, hostLabelOf } from './envelope.ts';
import { ago, count, inline, quoted } from './plain.ts';

/** One recipient of a sent message, and when it will know of it. */
export function reachability(recipient: RecipientView, nowMs: number): string {
  return `${inline(recipient.address)}: ${outlook(recipient, nowMs)}`;
}

const whenOwnerIsBack = 'reads it when its owner is next back in that conversation';

function outlook({ state, tier, lastActiveAt }: Presence, nowMs: number): string {
  if (state === 'offline')
    return `offline, last active ${ago(lastActiveAt, nowMs)}; ${whenOwnerIsBack}`;
  if (tier === 'push') return 'online; told now';
  return 'online in a web chat; reads it at its next inbox check';
}

/** The attested facts of a member on one line; without its intro. */
export function memberLine(member: MemberView, nowMs: number): string {
  return [
    `${inline(member.address)}${member.me ? ' (you)' : ''}`,
    hostLabelOf[member.host],
    ...workplace(member),
    member.state === 'online'
      ? 'online'
      : `offline, last active ${ago(member.lastActiveAt, nowMs)}`,
    `joined ${ago(member.joinedAt, nowMs)}`,
    ...unread(member),
  ].join(', ');
}

function workplace({ workspace: { repo, branch } }: MemberView): string[] {
  if (repo === '') return [];
  return [branch === '' ? `in ${quoted(repo)}` : `in ${quoted(repo)} on branch ${quoted(branch)}`];
}

function unread({ unreadFromMe, me }: MemberView): string[] {
  return me || unreadFromMe === 0
    ? []
    : [`has not read ${count(unreadFromMe, 'message')} of yours`];
}

/** Members with what each says about itself. */
export function memberList(members: readonly MemberView[], nonce: string, nowMs: number): string {
  return members
    .map((member) => {
      const line = `- ${memberLine(member, nowMs)}`;
      if (member.intro === '') return line;
      return `${line}\n${element(nonce, [['intro-of', member.address]], member.intro)}`;
    })
    .join('\n');
}
