// The way a request reaches the Hub: a port, and its implementation by `fetch`.

export interface HttpRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Aborted when time is up or the bridge is disposed of. */
  signal: AbortSignal;
}

export interface HttpReply {
  status: number;
  body: string;
}

/** Posts a request; rejects if no reply came. Follows no redirect: a token goes to one place. */
export type Http = (request: HttpRequest) => Promise<HttpReply>;

/** By `fetch`, as browsers have it. */
export const fetchHttp: Http = async ({ url, headers, body, signal }) => {
  const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  return { status: reply.status, body: await reply.text() };
};
