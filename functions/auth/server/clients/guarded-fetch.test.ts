// Fetching from an address that a stranger chose: over real TLS, with names and wires of the test.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DocumentHost,
  documentHost,
  startDocumentHost,
} from '../../../testing/document-host.ts';
import { fetchDocument } from './guarded-fetch.ts';

let host: DocumentHost;
const url = `https://${documentHost}/client.json`;
const address = '93.184.215.14';

beforeAll(async () => {
  host = await startDocumentHost();
});
afterAll(() => host.close());
beforeEach(() => {
  host.resolveTo([address]);
  host.connected.length = 0;
  host.requests.length = 0;
  host.serve({ ok: true });
});

const fetched = (target = url) => fetchDocument(host.network, target);

describe('a document', () => {
  it('comes as it is, with the time its host lets it be kept', async () => {
    host.serve('{"client_id": "x" }', { 'cache-control': 'public, max-age=7200' });
    expect(await fetched()).toEqual({ body: '{"client_id": "x" }', maxAgeS: 7200 });
    expect(host.connected).toEqual([address]);
    expect(host.requests).toEqual(['/client.json']);
  });

  it.each([
    ['an ordinary one', 'application/json; charset=utf-8'],
    ['one of a kind', 'application/oauth-client+json'],
  ])('may be JSON of any kind: %s', async (_, type) => {
    host.serve({ ok: true }, { 'content-type': type });
    await expect(fetched()).resolves.toMatchObject({ body: '{"ok":true}' });
  });
});

describe('an address that is not public', () => {
  it.each([
    ['this machine', '127.0.0.1'],
    ['any', '0.0.0.0'],
    ['the metadata service', '169.254.169.254'],
    ['the metadata service, IPv6', 'fd00:ec2::254'],
    ['the credentials of a task', '169.254.170.2'],
    ['a private network', '10.1.2.3'],
    ['a private network', '172.16.0.1'],
    ['a private network', '192.168.1.1'],
    ['a carrier', '100.64.0.1'],
    ['many at once', '224.0.0.1'],
    ['this machine, IPv6', '::1'],
    ['this machine, mapped', '::ffff:127.0.0.1'],
    ['the metadata service, translated', '64:ff9b::a9fe:a9fe'],
    ['a private network, 6to4', '2002:0a01:0203::1'],
    ['a local network, IPv6', 'fe80::1'],
    ['no address', 'client.example.com'],
  ])('is never connected to: %s, %s', async (_, to) => {
    host.resolveTo([to]);
    await expect(fetched()).rejects.toThrow('no public address');
    expect(host.connected).toEqual([]);
  });

  it('is refused among others as well', async () => {
    host.resolveTo([address, '10.0.0.1']);
    await expect(fetched()).rejects.toThrow('no public address');
    expect(host.connected).toEqual([]);
  });

  it('is refused when it stands in the URL itself', async () => {
    const { network } = host;
    const literal = { ...network, resolve: async (hostname: string) => [hostname] };
    for (const target of ['https://127.0.0.1/x', 'https://0x7f000001/x', 'https://[::1]/x']) {
      await expect(fetchDocument(literal, target)).rejects.toThrow('no public address');
    }
    expect(host.connected).toEqual([]);
  });

  it('gets nothing when the name changes after it was checked', async () => {
    host.resolveTo([address], ['127.0.0.1']);
    await fetched();
    expect(host.lookups()).toBe(1);
    expect(host.connected).toEqual([address]);
  });
});

describe('a host', () => {
  it('is only believed with a certificate for its name', async () => {
    await expect(fetched('https://other.example.com/client.json')).rejects.toThrow();
    const { ca: _, ...unknown } = host.network;
    await expect(fetchDocument(unknown, url)).rejects.toThrow();
    expect(host.requests).toEqual([]);
  });

  it.each([
    'http://client.example.com/x',
    'https://client.example.com:8443/x',
    'https://user@client.example.com/x',
    'https://client.example.com/x#y',
  ])('is asked by https, at its own port, without more: not %s', async (target) => {
    await expect(fetched(target)).rejects.toThrow('plain https');
    expect(host.lookups()).toBe(0);
  });

  it('cannot send us elsewhere', async () => {
    host.answer((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    });
    await expect(fetched()).rejects.toThrow('status 302');
    expect(host.connected).toHaveLength(1);
  });

  it.each([404, 500, 204])('has to answer 200, not %i', async (status) => {
    host.answer((_, response) => response.writeHead(status).end());
    await expect(fetched()).rejects.toThrow(`status ${status}`);
  });

  it('has to say that it is JSON', async () => {
    host.serve('<html>', { 'content-type': 'text/html' });
    await expect(fetched()).rejects.toThrow('not JSON');
  });

  it('is not read beyond 5 KB, however much it sends', async () => {
    host.serve(JSON.stringify('x'.repeat(5 * 1024 - 2)));
    await expect(fetched()).resolves.toBeDefined();
    host.serve(JSON.stringify('x'.repeat(5 * 1024 - 1)));
    await expect(fetched()).rejects.toThrow('too large');
    let sent = 0;
    host.answer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const send = () => {
        while (!request.socket.destroyed && response.write('x'.repeat(1024))) sent += 1;
      };
      response.on('drain', send);
      send();
    });
    await expect(fetched()).rejects.toThrow('too large');
    await expect.poll(() => sent).toBeLessThan(10_000);
  });

  it('has three seconds in all, whether it is silent, slow or hard to find', async () => {
    const startedMs = performance.now();
    host.answer((request, response) => {
      if (request.url?.endsWith('silent')) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(drip));
    });
    const silent = fetched(`${url}?silent`);
    const trickling = fetched(`${url}?slow`);
    const lost = fetchDocument({ ...host.network, resolve: () => new Promise(() => {}) }, url);
    const outcomes = await Promise.allSettled([silent, trickling, lost]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(performance.now() - startedMs).toBeLessThan(6_000);
  });
});
