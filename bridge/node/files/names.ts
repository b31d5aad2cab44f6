// File names from IDs (protocol, section 5): readable where they can be, never a path.

const maxBytes = 200;

/** The name of the file or folder for an ID that a host chose. */
export function fileNameOf(id: string): string {
  const encoded = /^\.+$/.test(id) ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
  return Buffer.byteLength(encoded) > maxBytes ? digest(id) : encoded;
}

/** Loads its module when it is needed: a hook would pay for that at every tool call of its host. */
function digest(id: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(id).digest('hex');
}
