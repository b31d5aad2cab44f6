// Requests and links through a real proxy. The Hub's name exists only for the proxy, so what
// arrives has come through it.
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRig, until } from '../testing/rig.ts';

/** A proxy that tunnels every name to this machine; `asked` holds what it was asked for. */
async function startProxy() {
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    asked.push(url);
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
  return { asked, url: `http://127.0.0.1:${port}` };
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
});
