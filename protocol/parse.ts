// Parsing what a caller wrote, with all its mistakes told in one message.
import type * as z from 'zod';
import { HubError } from './errors.ts';

/** Issues told one by one; a hostile request can have thousands. */
const issuesShown = 20;
const pathSegmentCharacters = 64;

/** Gives the parsed value or throws `invalid_input`. */
export function parseOrRefuse<Output>(schema: z.ZodType<Output>, written: unknown): Output {
  const parsed = schema.safeParse(written);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const shown = issues.slice(0, issuesShown).map(describeIssue);
  if (issues.length > issuesShown) shown.push(`and ${issues.length - issuesShown} more`);
  throw new HubError('invalid_input', shown.join('; '));
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((segment) => String(segment).slice(0, pathSegmentCharacters)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}
