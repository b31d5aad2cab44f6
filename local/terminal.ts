// What the person at the terminal sees of the running Hub: who calls what, by headers alone.
import type { HttpCall } from './http-api/gateway.ts';
import type { Report } from './lambda/outcome.ts';

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

/** One line about an answered request: time, operation, host kind, status, duration. */
export function formatCall(call: HttpCall, now: Date): string {
  const duration = `${Math.round(call.durationMs)} ms`;
  const columns = [
    timeOfDay(now),
    operationOf(call).padEnd(18),
    word(call.hostKind, '-').padEnd(12),
    String(call.statusCode),
    duration.padStart(8),
  ];
  return columns.join('  ');
}

/** One line about a failed invocation; an error's message may hold what people wrote. */
export function formatFailure({ functionId, outcome }: Report, now: Date): string | undefined {
  if (outcome.ok) return undefined;
  return `${timeOfDay(now)}  ${functionId} failed: ${word(outcome.error.errorType, 'an error')}`;
}
