// Requests and links through a real proxy. The Hub's name exists only for the proxy, so what
// arrives has come through it.
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { retryDelaysMs } from '../hub/hub-client.ts';
import { createJoinedRig, createRig, type Rig, until } from '../testing/rig.ts';

/**
 * A proxy that tunnels every name to this machine, refuses to with a status, or never answers;
 * `asked` holds what it was asked for, `authorizations` as whom.
 */
async function startProxy({ refusal }: { refusal?: number | 'never' } = {}) {
  const asked: string[] = [];
  const authorizations = new Set<string | undefined>();
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Duplex) => {
    asked.push(url);
    authorizations.add(headers['proxy-authorization']);
    if (refusal === 'never') {
      sockets.add(socket);
      socket.on('end', () => socket.end()).on('close', () => sockets.delete(socket));
      socket.on('error', () => {}).resume();
      return;
    }
    if (refusal !== undefined) {
      socket.on('error', () => {});
      socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { asked, authorizations, sockets, port, url: `http://127.0.0.1:${port}` };
}

/** As if this device had signed in at that Hub. */
async function writeCredentials({ home }: Rig, hub: string): Promise<void> {
  const account = { id: 'a', handle: 'henry' };
  await writeFile(join(home, 'credentials.json'), JSON.stringify({ hub, token: 't', account }));
}

function setEnvironment(variables: Record<string, string>): void {
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toUpperCase(), undefined);
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('a proxy', () => {
  test('carries operations and the link, and closes with the bridge', async () => {
    const { hub, room, createAnother, linkCount } = await createRig();
    const proxy = await startProxy();
    setEnvironment({ HTTP_PROXY: proxy.url });
    const bridge = createAnother({ hub: `http://hub.test:${hub.port}` });
    await bridge.call('login', { action: 'start' });
    hub.state.logins.approve('henry');
    await bridge.call('login', { action: 'start' });
    expect((await bridge.call('join', { room: room.shownCode, intro: 'x' })).isError).toBe(false);
    await until(() => linkCount() === 1);
    expect(new Set(proxy.asked)).toEqual(new Set([`hub.test:${hub.port}`]));
    await bridge.dispose();
    await until(() => linkCount() === 0);
  });

  test('is not used for what NO_PROXY names, nor for this machine', async () => {
    const { hub, createAnother } = await createRig();
    const proxy = await startProxy();
    setEnvironment({ HTTP_PROXY: proxy.url, NO_PROXY: 'hub.invalid' });
    for (const name of ['hub.invalid', '127.0.0.1', 'localhost']) {
      const bridge = createAnother({ hub: `http://${name}:${hub.port}` });
      void bridge.call('login', { action: 'start' });
    }
    await until(() => hub.inputsOf('login_start').length >= 2);
    expect(proxy.asked).toEqual([]);
  });

  test('that is away makes the Hub unavailable', async () => {
    const { createAnother, clock, passRetries } = await createRig();
    setEnvironment({ HTTPS_PROXY: 'http://127.0.0.1:9' });
    const bridge = createAnother({ hub: 'https://hub.test' });
    const calling = bridge.call('login', { action: 'start' });
    await passRetries();
    expect((await calling).text).toMatch('could not be reached (ECONNREFUSED)');
    expect(clock.delaysMs).toEqual([]);
  });

  test('gets the credentials of its URL, which nothing else shows', async () => {
    const { hub, createAnother } = await createRig();
    const { port, authorizations } = await startProxy();
    setEnvironment({ HTTP_PROXY: `http://ann:p%40ss@127.0.0.1:${port}` });
    const printed: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    const debug: { enable: (names: string) => void; disable: () => string } = createRequire(
      import.meta.resolve('https-proxy-agent'),
    )('debug');
    debug.enable('*');
    onTestFinished(() => {
      debug.disable();
      vi.restoreAllMocks();
    });
    const bridge = createAnother({ hub: `http://hub.test:${hub.port}` });
    expect((await bridge.call('login', { action: 'start' })).isError).toBe(false);
    const basic = Buffer.from('ann:p@ss').toString('base64');
    expect([...authorizations]).toEqual([`Basic ${basic}`]);
    expect(printed.join()).toContain('https-proxy-agent');
    for (const secret of ['p@ss', 'p%40ss', basic]) expect(printed.join()).not.toContain(secret);
  });

  test.each([
    'http://ann:p4ss@127.0.0.1:99999',
    'http://ann:p4ss@',
    'http://ann:p4ss%zz@127.0.0.1:9',
    'socks5://ann:p4ss@127.0.0.1:9',
  ])('by the URL %s makes the Hub unavailable, and ends no process', async (url) => {
    const rig = await createJoinedRig();
    const { bridge, createAnother, clock, passRetries, linkCount, hasMarker } = rig;
    await bridge.dispose();
    await until(() => linkCount() === 0);
    setEnvironment({ ALL_PROXY: url });
    // The link is opened without a call, so nobody waits for what it throws.
    const resumed = createAnother({ hub: 'http://hub.test' });
    await writeCredentials(rig, 'http://hub.test');
    await resumed.start();
    await until(() => clock.delaysMs.includes(1_000));
    const calling = resumed.call('members', {});
    await passRetries();
    const { text } = await calling;
    expect(text).toMatch('could not be reached (PROXY_URL_NOT_USABLE)');
    expect(text).not.toMatch('p4ss');
    expect(hasMarker()).toBe(true);
  });

  test.each([401, 403, 407, 409])(
    'that refuses with %i does not speak for the Hub',
    async (refusal) => {
      const rig = await createJoinedRig();
      const { bridge, createAnother, clock, passRetries, linkCount, hasMarker } = rig;
      await bridge.dispose();
      await until(() => linkCount() === 0);
      const proxy = await startProxy({ refusal });
      setEnvironment({ ALL_PROXY: proxy.url });
      const resumed = createAnother({ hub: 'http://hub.test' });
      await writeCredentials(rig, 'http://hub.test');
      await resumed.start();
      // A failure of the network: the next attempt comes after a second.
      await until(() => clock.delaysMs.includes(1_000));
      expect(resumed.status().unreachable).toMatch('no connection to the Hub yet');
      const calling = resumed.call('members', {});
      await passRetries();
      expect((await calling).text).toMatch('could not be reached (PROXY_REFUSED)');
      expect(hasMarker()).toBe(true);
    },
  );

  test('that never answers is waited for 15 s, and is left with the bridge', async () => {
    const { createAnother, clock } = await createRig();
    const proxy = await startProxy({ refusal: 'never' });
    setEnvironment({ HTTP_PROXY: proxy.url });
    const bridge = createAnother({ hub: 'http://hub.test' });
    const calling = bridge.call('login', { action: 'start' });
    for (const delayMs of [...retryDelaysMs, 0]) {
      await until(() => clock.delaysMs.includes(15_000));
      clock.advance(15_000);
      await until(() => clock.delaysMs.includes(delayMs) || delayMs === 0);
      clock.advance(delayMs);
    }
    expect((await calling).text).toMatch('did not answer within 15 seconds');
    expect(proxy.sockets.size).toBeGreaterThan(0);
    await bridge.dispose();
    await until(() => proxy.sockets.size === 0);
  });
});
