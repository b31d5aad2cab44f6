// The official conformance suite of MCP against `/mcp`: everything a revision requires of servers,
// but for the checks that testing/conformance.yml lists with reasons.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { connectorToken, serveMcp, type TestEndpoint } from './testing/serve.ts';

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const expectedFailures = join(import.meta.dirname, 'testing', 'conformance.yml');
const folder = mkdtempSync(join(tmpdir(), 'tandry-conformance-'));

let hub: TestHub;
let endpoint: TestEndpoint;
beforeAll(async () => {
  hub = await startTestHub();
  // The suite cannot sign in.
  endpoint = await serveMcp(hub, { bearer: connectorToken('anna') });
});
afterAll(async () => {
  await endpoint.close();
  await hub.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']],
  [
    '2026-07-28',
    [
      'tools-list',
      'dns-rebinding-protection',
      'server-sse-multiple-streams',
      'http-header-validation',
    ],
  ],
])(
  'holds what %s requires of servers',
  async (revision, passing) => {
    const { code, output } = await run([
      ...['server', '--url', `${endpoint.url}/mcp`, '--requirements', revision],
      ...['--expected-failures', expectedFailures, '--output-dir', folder],
    ]);
    for (const scenario of passing) {
      expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    }
    expect(code, output.slice(output.indexOf('SUMMARY'))).toBe(0);
  },
  120_000,
);

async function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code: Number(code), output };
}
