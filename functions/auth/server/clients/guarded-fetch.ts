// Fetches a small JSON document from an address that a stranger chose, and from nowhere he should
// not get us to: public addresses only, the one that was checked, no redirects, little, and soon.
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import ipaddr from 'ipaddr.js';

const timeoutMs = 3_000;
const limitBytes = 5 * 1024;
const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** What the fetch works with; tests give their own names, wires and authorities. */
export interface Network {
  /** Every address of a host name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  /** A connection to port 443 of an address. */
  readonly connect: (address: string) => Socket;
  /** Certificate authorities; those of the system if absent. */
  readonly ca?: string | undefined;
}

/** A document as it came, and for how long its host lets it be kept (seconds). */
export interface Fetched {
  readonly body: string;
  readonly maxAgeS: number | undefined;
}

export const internet: Network = {
  resolve: async (hostname) =>
    (await lookup(hostname, { all: true })).map(({ address }) => address),
  connect: (address) => connect({ host: address, port: 443 }),
};

/** Rejects whatever goes wrong; nothing of the reason is meant for whoever chose the URL. */
export async function fetchDocument(network: Network, target: string): Promise<Fetched> {
  const url = new URL(target);
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.hash !== '') {
    throw new Error('not a plain https URL');
  }
  const signal = AbortSignal.timeout(timeoutMs);
  const address = await untilAborted(publicAddress(network, url.hostname), signal);
  const response = await get(url, network, address, signal);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  if (!jsonType.test(response.headers['content-type'] ?? '')) throw new Error('not JSON');
  const maxAge = /(?:^|,)\s*max-age=(\d+)/i.exec(response.headers['cache-control'] ?? '')?.[1];
  return {
    body: await readLittle(response),
    maxAgeS: maxAge === undefined ? undefined : Number(maxAge),
  };
}

/** The address to connect to. All of them have to be public: one that is not is no accident. */
async function publicAddress({ resolve }: Network, hostname: string): Promise<string> {
  const addresses = await resolve(hostname.replace(/^\[|\]$/g, ''));
  const [first] = addresses;
  if (first === undefined || !addresses.every(isPublic)) throw new Error('no public address');
  return first;
}

function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}

/** Connects to the address that was checked: the name is not looked up a second time. */
function get(
  { hostname, pathname, search }: URL,
  network: Network,
  address: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: hostname,
      path: `${pathname}${search}`,
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      signal,
      // Instead of an agent, whose connections would look the name up themselves.
      createConnection: () =>
        connectTls({
          socket: network.connect(address),
          servername: hostname,
          ...(network.ca !== undefined && { ca: network.ca }),
        }),
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end();
  });
}

async function readLittle(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (bytes > limitBytes) throw new Error('too large');
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}
