// The tools of a conversation on standard input and output: whose they are, and when a batch
// counts as handed over.
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { subagentRefusal } from '../../bridge/index.ts';
import { createJoinedRig, createRig, until } from '../../bridge/testing/rig.ts';
import { localTools } from '../../protocol/tool-listing.ts';
import { instructions } from '../../protocol/tools.ts';
import { type ServeOptions, serveTools } from './serve.ts';

/** Standard output that can be held up, as by a host that does not read. */
class Output extends Writable {
  readonly lines: string[] = [];
  readonly #held: (() => void)[] = [];
  isHeld = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const finish = () => {
      this.lines.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    };
    if (this.isHeld) this.#held.push(finish);
    else finish();
  }

  release(): void {
    this.isHeld = false;
    for (const finish of this.#held.splice(0)) finish();
  }
}

function serve(options: Pick<ServeOptions, 'resolve'> & Partial<ServeOptions>) {
  const input = new PassThrough();
  const output = new Output();
  let isClosed = false;
  const server = serveTools({
    version: '0.0.0',
    closed: () => {
      isClosed = true;
    },
    ...options,
    input,
    output,
  });
  onTestFinished(() => server.close());
  const write = (message: object) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let serial = 0;
  const answer = (id: number) =>
    output.lines.map((line) => JSON.parse(line)).find((message) => message.id === id);
  const host = {
    input,
    output,
    write,
    isClosed: () => isClosed,
    async ask(method: string, params: object = {}) {
      serial += 1;
      const id = serial;
      write({ id, method, params });
      await until(() => answer(id) !== undefined);
      return answer(id).result ?? answer(id).error;
    },
    initialize: (protocolVersion: string) =>
      host.ask('initialize', {
        protocolVersion,
        capabilities: { elicitation: { form: {}, url: {} } },
        clientInfo: { name: 'codex-mcp-client', version: '0' },
      }),
    call: (name: string, args: object = {}, meta?: object) =>
      host.ask('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) }),
  };
  return host;
}

test.each(['2025-06-18', '2025-11-25'])('a host that opens with %s is served', async (version) => {
  const { bridge } = await createRig();
  const host = serve({ resolve: () => ({ bridge }) });
  const opened = await host.initialize(version);
  expect(opened).toMatchObject({
    protocolVersion: version,
    serverInfo: { name: 'tandry', version: '0.0.0' },
    capabilities: { tools: {} },
    instructions,
  });
  host.write({ method: 'notifications/initialized' });
  expect((await host.ask('tools/list')).tools).toEqual(JSON.parse(JSON.stringify(localTools())));
});

test('the resolver sees the tool, its arguments and what the host says with it', async () => {
  const { bridge } = await createRig();
  const calls: object[] = [];
  const host = serve({
    resolve: (call) => {
      calls.push(call);
      return { bridge };
    },
  });
  await host.initialize('2025-06-18');
  const meta = { threadId: 't1', sessionId: 's1', 'x-codex-turn-metadata': { turn_id: '1' } };
  const result = await host.call('join', { room: 'ABCD-EFGH', intro: 'x' }, meta);
  expect(result.isError).toBe(true);
  expect(result.content).toEqual([
    { type: 'text', text: expect.stringMatching(/^Error not_logged_in: /) },
  ]);
  expect(calls).toEqual([{ tool: 'join', args: { room: 'ABCD-EFGH', intro: 'x' }, meta }]);
});

test('a call of nobody is refused with a result', async () => {
  const host = serve({ resolve: () => ({ refusal: subagentRefusal() }) });
  await host.initialize('2025-06-18');
  expect(await host.call('inbox')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Error not_in_room: /) }],
  });
});

test('a tool that is none is an error result too', async () => {
  const { bridge } = await createRig();
  const host = serve({ resolve: () => ({ bridge }) });
  await host.initialize('2025-06-18');
  expect(await host.call('constructor')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Error invalid_input: /) }],
  });
});

test('a tool of the host answers by itself and is offered to no model', async () => {
  const { bridge } = await createRig();
  const host = serve({
    resolve: () => ({ bridge }),
    hostTools: [{ name: 'hook', call: ({ args, meta }) => JSON.stringify({ args, meta }) }],
  });
  await host.initialize('2025-06-18');
  const names = (await host.ask('tools/list')).tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(localTools().map(({ name }) => name));
  const { content } = await host.call('hook', { event: 'Stop' }, { threadId: 't1' });
  expect(JSON.parse(content[0].text)).toEqual({
    args: { event: 'Stop' },
    meta: { threadId: 't1' },
  });
});

test('a batch counts as read only once it is written', async () => {
  const { bridge, hub, hear } = await createJoinedRig();
  const host = serve({ resolve: () => ({ bridge }) });
  await host.initialize('2025-06-18');
  await hear('one');
  host.output.isHeld = true;
  host.write({ id: 100, method: 'tools/call', params: { name: 'inbox', arguments: {} } });
  await until(() => host.output.writableLength > 0);
  // A whole exchange with the Hub later it would have been confirmed.
  await bridge.call('members', {});
  expect(hub.inputsOf('read')).toEqual([]);
  host.output.release();
  await until(() => hub.inputsOf('read').length === 1);
  expect(hub.inputsOf('read')).toEqual([{ upTo: 1 }]);
});

test('what the host no longer waits for stays unread', async () => {
  const { bridge, hub, hear } = await createJoinedRig();
  const host = serve({ resolve: () => ({ bridge }) });
  await host.initialize('2025-06-18');
  await hear('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  hub.fail('inbox', { kind: 'hold_answer', until: promise });
  host.write({ id: 100, method: 'tools/call', params: { name: 'inbox', arguments: {} } });
  await until(() => hub.inputsOf('inbox').length === 1);
  host.write({ method: 'notifications/cancelled', params: { requestId: 100 } });
  await host.ask('ping');
  resolve();
  await bridge.call('members', {});
  expect(hub.inputsOf('read')).toEqual([]);
});

test('the host closes its end', async () => {
  const { bridge } = await createRig();
  const host = serve({ resolve: () => ({ bridge }) });
  await host.initialize('2025-06-18');
  host.input.end();
  await until(() => host.isClosed());
});
