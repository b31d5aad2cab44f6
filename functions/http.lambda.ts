// Deployed behind the HTTP API: composition only.
export const handler = async () => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ ok: true, now: Date.now() }),
});
