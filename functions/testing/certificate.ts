// A certificate for a test's own TLS host, made on the spot: no key of anybody's lies in the tree.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

export interface TestCertificate {
  /** PEM; the certificate signs itself, so it is its own authority. */
  readonly cert: string;
  readonly key: string;
}

/** Signs itself for these host names, for a day. */
export function makeCertificate(...hostnames: string[]): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const nowMs = Date.now();
  const dayMs = 24 * 60 * 60_000;
  const name = sequence(set(sequence(oid('550403'), tagged(0x0c, 'Tandry test'))));
  const names = hostnames.map((hostname) => tagged(0x82, hostname));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(nowMs - dayMs), utcTime(nowMs + dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        extension('551d13', sequence(tagged(0x01, Buffer.from([0xff])))),
        extension('551d11', sequence(...names)),
      ),
    ),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const bits = tagged(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const der = sequence(body, ecdsaWithSha256, bits).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** DER: a tag, a length, and the content. */
function tagged(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const { length } = bytes;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => tagged(0x31, Buffer.concat(parts));
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'));
const integer = (bytes: Buffer) => tagged(0x02, bytes);
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tagged(0x04, value));
}

function utcTime(atMs: number): Buffer {
  return tagged(0x17, `${new Date(atMs).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);
}
