// Operations of an account: signing in, its devices, its handle (protocol, section 2).
import * as z from 'zod';
import { Handle } from '../ids.ts';
import { limits } from '../limits.ts';
import { Account, DeviceView, RoomSummary } from '../nouns.ts';
import { optional, singleLineText, text } from '../text.ts';
import { defineOperation } from './define.ts';

const DeviceLabel = singleLineText(0, limits.deviceLabelCharacters);
const OpaqueText = text(1, limits.opaqueTextCharacters);

/** Starts a device login: a person opens `url`, enters `userCode`, and approves. */
export const loginStart = defineOperation({
  name: 'login_start',
  scope: 'none',
  input: () => z.object({ label: optional(DeviceLabel) }),
  output: () =>
    z.object({
      url: z.string(),
      userCode: z.string(),
      deviceCode: z.string(),
      intervalSeconds: z.int().positive(),
      expiresInSeconds: z.int().positive(),
    }),
  errors: ['rate_limited'],
});

/** How a started login stands; the token is given once, with `approved`. */
export const loginStatus = defineOperation({
  name: 'login_status',
  scope: 'none',
  input: () => z.object({ deviceCode: OpaqueText, label: optional(DeviceLabel) }),
  output: () =>
    z.discriminatedUnion('state', [
      z.object({ state: z.literal('pending') }),
      z.object({ state: z.literal('approved'), token: z.string(), account: Account }),
      z.object({ state: z.literal('expired') }),
      z.object({ state: z.literal('denied') }),
    ]),
  errors: ['rate_limited'],
});

/** Ends the credential that calls and closes its links. */
export const logout = defineOperation({
  name: 'logout',
  scope: 'account',
  input: () => z.object({}),
  output: () => z.object({}),
  errors: [],
});

/** The account and its rooms, sorted by name. */
export const status = defineOperation({
  name: 'status',
  scope: 'account',
  input: () => z.object({}),
  output: () => z.object({ account: Account, rooms: z.array(RoomSummary) }),
  errors: [],
});

export const devices = defineOperation({
  name: 'devices',
  scope: 'account',
  input: () => z.object({}),
  output: () => z.object({ devices: z.array(DeviceView) }),
  errors: [],
});

/** Ends a device's credential at once; an unknown ID is no error. */
export const revokeDevice = defineOperation({
  name: 'revoke_device',
  scope: 'account',
  input: () => z.object({ id: OpaqueText }),
  output: () => z.object({}),
  errors: [],
});

/** Gives the account its handle, once and for good; website sessions only. */
export const claimHandle = defineOperation({
  name: 'claim_handle',
  scope: 'account',
  input: () => z.object({ handle: Handle }),
  output: () => z.object({ account: Account }),
  errors: ['name_taken'],
});
