// A new member: named, placed, introduced in the history without telling anyone.
import { HubError } from '../../protocol/errors.ts';
import { formatAddress, mintId } from '../../protocol/ids.ts';
import { utf8Bytes } from '../../protocol/text.ts';
import { fullBucket } from '../domain/bucket.ts';
import { freeName, proposedName } from '../domain/names.ts';
import type { Bucket, Clock } from '../domain/room.ts';
import { addStay } from '../store/accounts.ts';
import type { Proposal, Tick } from '../store/change-room.ts';
import { contentHash } from '../store/content-hash.ts';
import { bindConversation, rejoinMs } from '../store/conversations.ts';
import { listAddresses, putMember } from '../store/members.ts';
import { putMessageOnce } from '../store/messages.ts';
import { getCursor } from '../store/positions.ts';
import { checkCode } from '../store/rooms.ts';
import { noSuchRoom } from './join-room.ts';
import type { Joined, Joining } from './joining.ts';

const idRandomBytes = 10;

/** Throws `limit_reached` when every place is taken; website members take none. */
export async function proposeMember(joining: Joining, clock: Clock): Promise<Proposal<Joined>> {
  const { call, input, room, handle } = joining;
  const { hub, caller } = call;
  const takesPlace = caller.host !== 'website';
  if (takesPlace && clock.memberCount >= hub.policy.membersPerRoom) {
    throw new HubError(
      'limit_reached',
      `the room has ${hub.policy.membersPerRoom} members already`,
    );
  }
  const [taken, bucket] = await Promise.all([listAddresses(hub.table, room), firstBucket(joining)]);
  const name = freeName(proposedName(input.name, input.workspace.repo, caller.host), (candidate) =>
    taken.has(formatAddress({ handle, name: candidate })),
  );
  const id = mintId('m_', hub.table.nowMs(), hub.randomBytes(idRandomBytes));
  return {
    entry: {
      kind: 'intro',
      id,
      fromHost: caller.host,
      bytes: utf8Bytes(input.intro),
    },
    changesRoster: true,
    presence: { delta: 1, takesPlace },
    writes: (tick) => writes(joining, { id, name, bucket }, tick),
    result: ({ seq }) => ({ no: seq, epoch: 0, outcome: 'joined' }),
    settle: (refused) => {
      if (refused.has('code')) throw noSuchRoom();
      return undefined;
    },
  };
}

/**
 * A rejoin within minutes goes on with the bucket it left with; anyone else starts with a full one.
 */
async function firstBucket({ call, room, row }: Joining): Promise<Bucket> {
  const { table, policy } = call.hub;
  const nowMs = table.nowMs();
  const isRejoin = row?.lastRoom === room && nowMs < (row.leftAt ?? 0) + rejoinMs;
  const last = isRejoin && row?.lastNo !== undefined ? row.lastNo : undefined;
  const before = last === undefined ? undefined : await getCursor(table, room, last);
  return before?.bucket ?? fullBucket(policy.bucket, nowMs);
}

function writes(
  { call, input, room, handle, row }: Joining,
  made: { readonly id: string; readonly name: string; readonly bucket: Bucket },
  tick: Tick,
) {
  const { account } = call.principal;
  const { host, conversation } = call.caller;
  const { repo, branch } = input.workspace;
  const no = tick.seq;
  const intro = {
    id: made.id,
    room,
    from: no,
    to: [],
    toRoom: false,
    dm: false,
    hash: contentHash({
      to: [],
      body: input.intro,
      dm: false,
      replyTo: undefined,
      meta: undefined,
    }),
    body: input.intro,
  };
  const member = { account, handle, name: made.name, host, conversation, repo, branch };
  return [
    putMessageOnce(intro, tick),
    ...putMember(room, { ...member, intro: input.intro }, made.bucket, tick),
    addStay(account, room, no),
    ...(host === 'website'
      ? []
      : [bindConversation({ account, host, conversation }, row, { room, no, epoch: 0 })]),
    ...(input.code === undefined ? [] : [checkCode(input.code, room)]),
  ];
}
