// What the bridge keeps on disk, and nothing else (protocol, section 5, the table of files).
import * as z from 'zod';
import { Address, RoomId } from '../protocol/ids.ts';
import { Account, Position } from '../protocol/nouns.ts';

/** `credentials.json`: who this device is signed in as, and at which Hub. */
export const Credentials = z.object({
  hub: z.string(),
  token: z.string().regex(/^[\x21-\x7e]+$/),
  account: Account,
});
export type Credentials = z.infer<typeof Credentials>;

/** `joined/…`: the room of a conversation; its existence alone brings a process online. */
export const Marker = z.object({
  room: RoomId,
  roomName: z.string(),
  code: z.string(),
  member: Address,
});
export type Marker = z.infer<typeof Marker>;

/** `run/…`: what short-lived hooks and monitors read; headers only, never a body. */
export const Run = z.object({
  unread: z.int().nonnegative(),
  upTo: Position,
  /** `upTo:consumed` of what is unread; empty if nothing is. */
  key: z.string(),
  /** What may be announced now; empty if nothing may. */
  notice: z.string(),
  /** Only the end of a turn may announce it: the turn has been told of mail already. */
  atTurnEnd: z.boolean(),
  /** Grows with each attempt to start a turn: a monitor prints the notice when it does. */
  wakes: z.int().nonnegative(),
});
export type Run = z.infer<typeof Run>;
