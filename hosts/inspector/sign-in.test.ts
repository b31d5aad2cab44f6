// The MCP Inspector against the whole local stack: from nothing but the Hub's URL through
// discovery, registration, the page that asks, and the sign-in of somebody new, to a conversation
// in a room.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../local/stack.ts';
import { remoteTools } from '../../protocol/tool-listing.ts';
import { createInspector, type Inspector, type InspectorRun } from './inspector.ts';

const Listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
const Called = z.object({
  result: z.object({
    content: z.array(z.object({ text: z.string() })),
    structuredContent: z.record(z.string(), z.unknown()),
  }),
});

const expectedCalls = [
  'POST /mcp',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-authorization-server',
  'POST /oauth/register',
  'GET /oauth/authorize',
  'POST /oauth/token',
];

describe.each([
  ['as it is', false],
  ['renamed on the way', true],
])('with the header that points to the sign-in %s', (_, remapsWwwAuthenticate) => {
  let stack: Stack;
  let inspector: Inspector;
  const calls: string[] = [];
  beforeAll(async () => {
    const onCall = ({ method, path }: { method: string; path: string }) =>
      calls.push(`${method} ${path}`);
    stack = await startStack({ mode: 'worker', remapsWwwAuthenticate, onCall });
    inspector = createInspector(stack.url, stack.cognito?.baseUrl ?? '');
  });
  afterAll(async () => {
    await stack?.close();
    if (inspector !== undefined) rmSync(inspector.folder, { recursive: true, force: true });
  });

  /** What a run printed, with all that may tell why if it failed. */
  function printed({ code, stdout, stderr }: InspectorRun): unknown {
    const log = join(inspector.folder, 'opener.log');
    const opened = existsSync(log) ? readFileSync(log, 'utf8') : '';
    expect(code, `${stderr}\n${opened}`).toBe(0);
    return JSON.parse(stdout);
  }

  async function callTool(tool: string, args: object = {}) {
    const given = ['--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
    const { result } = Called.parse(
      printed(await inspector.run(['--method', 'tools/call', ...given])),
    );
    return { text: result.content[0]?.text ?? '', structured: result.structuredContent };
  }

  test('it is refused before anybody signed in', async () => {
    const { code, stdout } = await inspector.run(['--method', 'tools/list']);
    expect([code, stdout]).toEqual([3, '']);
  });

  test('it finds its way in, and lists the tools', async () => {
    calls.length = 0;
    const run = await inspector.run(['--method', 'tools/list'], { signsIn: true });
    const { result } = Listed.parse(printed(run));
    expect(result.tools.map(({ name }) => name)).toEqual(remoteTools().map(({ name }) => name));
    expect(calls.filter((call) => expectedCalls.includes(call))).toEqual([
      ...expectedCalls,
      ...calls.slice(calls.indexOf('POST /oauth/token') + 1).filter((it) => it === 'POST /mcp'),
    ]);
    expect(run.stderr).toContain('0 errors');
  });

  test('it comes back with what it kept, and is in a room in the end', async () => {
    expect((await callTool('status')).text).toContain('Signed in as ana.');
    const made = await callTool('new_room', { name: 'Inspected', description: '' });
    const room = made.structured['code'];
    const { text } = await callTool('join', { room, intro: 'Looking around.' });
    const [, conversation] = /^Conversation: (\S+)\n/.exec(text) ?? [];
    const sent = await callTool('send', { conversation, to: [], body: 'All is well.' });
    expect(sent.text).toContain('on record');
    const { structured } = await callTool('history', { conversation });
    expect(structured['messages']).toMatchObject([
      { from: 'ana/web', kind: 'intro' },
      { from: 'ana/web', body: 'All is well.' },
    ]);
  });
});
