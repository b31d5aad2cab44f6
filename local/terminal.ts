// What the person at the terminal sees of the running Hub, by headers alone: who calls what, who is
// linked, and that links are told.
import * as z from 'zod';
import { parseJson } from '../protocol/wire.ts';
import type { HttpCall } from './http-api/gateway.ts';
import type { LogLine } from './lambda/functions.ts';
import type { Report } from './lambda/outcome.ts';
import type { LinkChange } from './web-socket-api/gateway.ts';

/** Printable only if it is a plain word: what callers send must not reach the terminal as it is. */
const word = (text: string | undefined, orElse: string) =>
  text !== undefined && /^[\w.-]{1,30}$/.test(text) ? text : orElse;

function timeOfDay(now: Date): string {
  return now.toTimeString().slice(0, 8);
}

/** The operation of a `/v1` path; other requests go by the route they matched. */
function operationOf({ path, routeKey }: HttpCall): string {
  const operation = /^\/v1\/([^/]+)$/.exec(path)?.[1];
  return operation === undefined ? (routeKey ?? 'no route') : word(operation, '?');
}

function formatLine(now: Date, what: string, who: string, code: string, amount: string): string {
  return [timeOfDay(now), what.padEnd(18), who.padEnd(12), code.padEnd(4), amount.padStart(8)].join(
    '  ',
  );
}

const milliseconds = (durationMs: number) => `${Math.round(durationMs)} ms`;
const seconds = (durationMs: number) => `${Math.round(durationMs / 1_000)} s`;

/** One line about an answered request: time, operation, host kind, status, duration. */
export function formatCall(call: HttpCall, now: Date): string {
  const { hostKind, statusCode, durationMs } = call;
  const who = word(hostKind, '-');
  return formatLine(now, operationOf(call), who, String(statusCode), milliseconds(durationMs));
}

/** One line about a link: time, what became of it, host kind, status or close code, duration. */
export function formatLink({ change, hostKind, code, durationMs }: LinkChange, now: Date): string {
  const duration = change === 'closed' ? seconds(durationMs) : milliseconds(durationMs);
  return formatLine(now, `link ${change}`, word(hostKind, '-'), String(code), duration);
}

const Told = z.object({
  operation: z.literal('notify'),
  outcome: z.literal('told'),
  frames: z.int(),
});

/** One line about links that were told of mail; undefined for every other line of a function. */
export function formatTold({ line }: Pick<LogLine, 'line'>, now: Date): string | undefined {
  const told = Told.safeParse(parseJson(line)).data;
  if (told === undefined) return undefined;
  const frames = `${told.frames} ${told.frames === 1 ? 'frame' : 'frames'}`;
  return formatLine(now, 'notify', '-', '-', frames);
}

/** One line about a failed invocation; an error's message may hold what people wrote. */
export function formatFailure({ functionId, outcome }: Report, now: Date): string | undefined {
  if (outcome.ok) return undefined;
  return `${timeOfDay(now)}  ${functionId} failed: ${word(outcome.error.errorType, 'an error')}`;
}
