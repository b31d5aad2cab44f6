// What travels over the room link (protocol, section 3). Frames are advisory: losing one loses
// nothing, so a text that is no frame is passed over.
import * as z from 'zod';
import { limits } from './limits.ts';
import { Unread } from './nouns.ts';
import { optional, text } from './text.ts';

export const linkPath = '/v1/link';

/** Bare texts beside the JSON frames: the client asks, the Hub answers. */
export const ping = 'ping';
export const pong = 'pong';

/** Hub to client: mail waits. */
export const NotifyFrame = z.object({ t: z.literal('notify'), ...Unread.shape });
export type NotifyFrame = z.infer<typeof NotifyFrame>;

/** Client to Hub: whether a notice can start a turn here now, and if not, why. */
export const ClientStateFrame = z.object({
  t: z.literal('state'),
  wakeable: z.boolean(),
  busy: optional(z.boolean()),
  reason: optional(text(0, limits.stateReasonCharacters)),
});
export type ClientStateFrame = z.infer<typeof ClientStateFrame>;

/**
 * Why a link is over. `superseded`: another process of the same conversation connected.
 * `rebound`: the member continues in another conversation. `revoked`: signed out.
 */
export const LinkEnd = z.enum(['superseded', 'rebound', 'not_in_room', 'revoked']);
export type LinkEnd = z.infer<typeof LinkEnd>;

/** Hub to client: this link is over. */
export const HubStateFrame = z.object({ t: z.literal('state'), link: LinkEnd });
export type HubStateFrame = z.infer<typeof HubStateFrame>;

export const HubFrame = z.discriminatedUnion('t', [NotifyFrame, HubStateFrame]);
export type HubFrame = z.infer<typeof HubFrame>;

/** Close codes of Hubs that can send their own; they mean the same as the state frame. */
export const linkEndOfCloseCode: ReadonlyMap<number, LinkEnd> = new Map([
  [4001, 'superseded'],
  [4002, 'rebound'],
  [4003, 'not_in_room'],
]);

/** Undefined if the text is not a frame of the Hub. */
export function decodeHubFrame(text: string): HubFrame | undefined {
  return decodeFrame(HubFrame, text);
}

/** Undefined if the text is not a frame of a client. */
export function decodeClientFrame(text: string): ClientStateFrame | undefined {
  return decodeFrame(ClientStateFrame, text);
}

function decodeFrame<Frame extends z.ZodType>(
  frame: Frame,
  text: string,
): z.output<Frame> | undefined {
  try {
    return frame.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
