// What a browser is in the middle of: the way through Cognito, back to what it came for. It is all
// in sealed cookies of that browser, so nobody can be sent along a way that somebody else began.
import * as z from 'zod';
import type { AuthServer } from './context.ts';
import { type Cookies, sealedCookies } from './cookies.ts';

/** Long enough for a code by email to arrive. */
export const journeySeconds = 15 * 60;
/** For so long the browser is remembered to be somebody's, who is then named on the pages. */
const sessionSeconds = 30 * 60;

const Goal = z.discriminatedUnion('kind', [
  /** To connect a client: the person has allowed it, in this interaction. */
  z.object({
    kind: z.literal('consent'),
    interaction: z.string(),
    /** The account that was named to the person; another one has to be asked again. */
    account: z.string().optional(),
    /** Where the forms on the way may lead in the end. */
    formTargets: z.array(z.string()),
  }),
  /** To sign a machine in. */
  z.object({ kind: z.literal('device'), userCode: z.string() }),
]);
export type Goal = z.output<typeof Goal>;

const Journey = z.object({
  goal: Goal,
  /** On the way through Cognito. */
  signIn: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }).optional(),
  /** On the way back. */
  account: z.string().optional(),
});
export type Journey = z.output<typeof Journey>;

const Session = z.object({ account: z.string(), id: z.string() });
/** Whose browser this is, as Cognito said a short while ago; `id` makes form tokens its own. */
export type Session = z.output<typeof Session>;

export interface BrowserMemory {
  readonly journeys: Cookies<Journey>;
  readonly sessions: Cookies<Session>;
}

export function browserMemory(server: AuthServer): BrowserMemory {
  return {
    journeys: sealedCookies(server, 'journey', Journey, journeySeconds),
    sessions: sealedCookies(server, 'session', Session, sessionSeconds),
  };
}
