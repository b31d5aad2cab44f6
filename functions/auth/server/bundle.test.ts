// The function as it is deployed: one minified file, on the real local table.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bundle } from '../../../infra/bundle.ts';
import { getAuthRecord } from '../../store/auth-records.ts';
import { type HttpRequest, httpEvent } from '../../testing/http-event.ts';
import { claudeRedirect } from '../../testing/oauth-client.ts';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';

const url = 'https://hub.example.com';
const secret = 'a secret of this test that is long enough';

let test: TestHub;
let folder: string;
let handler: (event: unknown, context: unknown) => Promise<APIGatewayProxyStructuredResultV2>;

const Module = z.object({
  handler: z.custom<typeof handler>((value) => typeof value === 'function'),
});

beforeAll(async () => {
  test = await startTestHub();
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  const file = join(folder, 'index.js');
  bundle(join(import.meta.dirname, '..', '..', 'auth.lambda.ts'), file);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: test.db.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'http',
    AWS_SECRET_ACCESS_KEY: 'any',
    TABLE_NAME: test.hub.table.name,
    HUB_URL: url,
    ORIGIN_SECRET: secret,
    AUTH_SECRET: secret,
    CONNECTIONS_ENDPOINT: 'https://links.example.com/live',
    COGNITO_ISSUER: 'https://pool.example.com/eu-west-1_x',
    COGNITO_JWKS_URI: 'https://pool.example.com/eu-west-1_x/keys',
    COGNITO_LOGIN_URL: 'https://login.example.com',
    COGNITO_WEBSITE_CLIENT_ID: 'website',
    COGNITO_AUTH_CLIENT_ID: 'auth',
  });
  handler = Module.parse(createRequire(import.meta.url)(file)).handler;
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(request: HttpRequest): Promise<APIGatewayProxyStructuredResultV2> {
  const headers = { 'x-tandry-origin': secret, ...request.headers };
  return handler(httpEvent({ ...request, headers }), {});
}

describe('the bundled function', () => {
  it('takes a client from its registration to the consent page, over https', async () => {
    const registered = await ask({
      method: 'POST',
      path: '/oauth/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [claudeRedirect] }),
    });
    expect(registered.statusCode).toBe(201);
    const { client_id } = z
      .object({ client_id: z.string() })
      .parse(JSON.parse(registered.body ?? ''));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: claudeRedirect,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      resource: `${url}/mcp`,
    }).toString();
    const asked = await ask({ path: '/oauth/authorize', query });
    expect(asked.statusCode).toBe(303);
    const path = String(asked.headers?.['location']);
    expect(path).toMatch(/^\/oauth\/consent\//);
    const cookies = asked.cookies ?? [];
    for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-tandry_.*; secure; httponly/i);

    const page = await ask({ path, cookies: cookies.map((cookie) => cookie.split(';')[0] ?? '') });
    expect(page.body).toContain('Connect to your rooms?');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body ?? '')?.[1] ?? '';
    const allowed = await ask({
      method: 'POST',
      path,
      cookies: cookies.map((cookie) => cookie.split(';')[0] ?? ''),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrf, decision: 'allow' }).toString(),
    });
    const location = new URL(String(allowed.headers?.['location']));
    expect(`${location.origin}${location.pathname}`).toBe(
      'https://login.example.com/oauth2/authorize',
    );
    expect(location.searchParams.get('redirect_uri')).toBe(`${url}/oauth/callback`);
    // Set once the person has allowed it, for this host alone.
    expect(allowed.cookies).toEqual([
      expect.stringMatching(
        /^__Host-tandry_journey_.*; path=\/; .*samesite=lax; secure; httponly$/i,
      ),
    ]);
  });

  it('knows its records and their lifetimes, whatever a bundler does to names', async () => {
    const registered = await ask({
      method: 'POST',
      path: '/oauth/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] }),
    });
    const { client_id } = JSON.parse(registered.body ?? '');
    const started = await ask({
      method: 'POST',
      path: '/oauth/device_authorization',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id, resource: `${url}/mcp` }).toString(),
    });
    const { user_code, expires_in } = JSON.parse(started.body ?? '');
    expect(expires_in).toBe(600);
    const id = { model: 'UserCode', id: String(user_code).replace('-', '') };
    expect(await getAuthRecord(test.hub.table, id)).toBeDefined();
  });

  it('starts device logins, too', async () => {
    const started = await ask({ method: 'POST', path: '/v1/login_start', body: '{"label":"x"}' });
    expect(JSON.parse(started.body ?? '')).toMatchObject({
      ok: true,
      result: { url: expect.stringMatching(/^https:\/\/hub\.example\.com\/device\?user_code=/) },
    });
  });

  it('serves nobody who came around the front door', async () => {
    const headers = { 'x-tandry-origin': 'x'.repeat(40) };
    const answer = await ask({ path: '/.well-known/oauth-authorization-server', headers });
    expect(answer.statusCode).toBe(403);
  });
});
