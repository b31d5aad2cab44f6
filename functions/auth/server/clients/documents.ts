// Metadata documents of clients that are named by a URL: fetched with care, kept for hours, served
// stale while their host is away, and for well-known clients even before the first fetch.
import * as z from 'zod';
import { getClientDocument, putClientDocument } from '../../../store/client-documents.ts';
import type { ClientDocument } from '../../../store/items.ts';
import type { Table } from '../../../store/table-port.ts';
import { type Fetched, fetchDocument, type Network } from './guarded-fetch.ts';
import { knownDocument } from './known-documents.ts';
import { ClientDescription, canBePublic, jsonOf, publicClient } from './public-client.ts';
import type { RedirectRules } from './redirects.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const freshAtLeastMs = hourMs;
const freshAtMostMs = 24 * hourMs;
/** After a failure: an old document serves on for so long before its host is asked again. */
const staleMs = 5 * minuteMs;
/** But not for ever: a host that withdrew its document is away as well. */
const staleAtMostMs = 7 * 24 * hourMs;
/** And one that never was there is not asked for again, whoever sends people with it. */
const absentMs = minuteMs;
const keepMs = staleAtMostMs + freshAtMostMs;

export interface ClientDocuments {
  readonly table: Table;
  readonly network: Network;
  readonly rules: RedirectRules;
  /** Whether the person's address may have another unknown document fetched. */
  readonly mayFetch: () => Promise<boolean>;
}

/**
 * Metadata of the client with that ID as oidc-provider takes it; undefined if there is no document,
 * or none of a client that can be one here.
 */
export async function findClientDocument(
  documents: ClientDocuments,
  clientId: string,
): Promise<string | undefined> {
  const { table, rules } = documents;
  const kept = await getClientDocument(table, clientId);
  const isFresh = kept !== undefined && kept.freshUntil > table.nowMs();
  const body = isFresh
    ? (kept.body ?? knownDocument(clientId))
    : await refresh(documents, clientId, kept);
  return body === undefined ? undefined : asClient(rules, clientId, body);
}

async function refresh(
  documents: ClientDocuments,
  clientId: string,
  kept: ClientDocument | undefined,
): Promise<string | undefined> {
  const { table, network } = documents;
  const nowMs = table.nowMs();
  const isUsableStill = kept !== undefined && nowMs - kept.fetchedAt < staleAtMostMs;
  const stale = (isUsableStill ? kept.body : undefined) ?? knownDocument(clientId);
  if (!(await documents.mayFetch())) return stale;
  const fetched = await fetchDocument(network, clientId).catch(() => undefined);
  if (fetched !== undefined && describes(fetched, clientId)) {
    const document = {
      body: fetched.body,
      fetchedAt: nowMs,
      freshUntil: nowMs + freshFor(fetched),
    };
    await putClientDocument(table, clientId, document, keepMs);
    return fetched.body;
  }
  const { body, fetchedAt = 0 } = kept ?? {};
  const freshUntil = nowMs + (stale === undefined ? absentMs : staleMs);
  await putClientDocument(table, clientId, { body, fetchedAt, freshUntil }, keepMs);
  return stale;
}

function freshFor({ maxAgeS }: Fetched): number {
  const wished = maxAgeS === undefined ? freshAtLeastMs : maxAgeS * 1000;
  return Math.min(freshAtMostMs, Math.max(freshAtLeastMs, wished));
}

/** A document speaks for the URL it stands at, spelled just so, and for no other. */
function describes({ body }: Fetched, clientId: string): boolean {
  return Document.safeParse(body).data?.client_id === clientId;
}

const Document = jsonOf(ClientDescription.extend({ client_id: z.string() }));

function asClient(rules: RedirectRules, clientId: string, body: string): string | undefined {
  const { data } = Document.safeParse(body);
  if (data === undefined || !canBePublic(data)) return undefined;
  const redirectUris = data.redirect_uris.filter((uri) => rules.isAllowedFor(clientId, uri));
  if (redirectUris.length === 0) return undefined;
  return JSON.stringify({ client_id: clientId, ...publicClient(data, redirectUris) });
}
