// File names from IDs (protocol, section 5): readable where they can be, never a path.
import { createHash } from 'node:crypto';

const maxBytes = 200;

/** The name of the file or folder for an ID that a host chose. */
export function fileNameOf(id: string): string {
  const encoded = /^\.+$/.test(id) ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
  return Buffer.byteLength(encoded) > maxBytes
    ? createHash('sha256').update(id).digest('hex')
    : encoded;
}
