// Measures the frames of a WebSocket as they come over the wire: API Gateway limits each of them.

/** Of one frame's payload. */
export const frameLimitBytes = 32 * 1024;

/** Makes the function that is given every chunk and says whether a frame was over the limit. */
export function createFrameMeter(): (chunk: Buffer) => boolean {
  let header = Buffer.alloc(0);
  let payloadLeft = 0;
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      const skipped = Math.min(payloadLeft, rest.length);
      payloadLeft -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) return false;
      header = Buffer.concat([header, rest]);
      const frame = readHeader(header);
      if (!frame) return false;
      if (frame.payloadBytes > frameLimitBytes) return true;
      rest = header.subarray(frame.headerBytes);
      header = Buffer.alloc(0);
      payloadLeft = frame.payloadBytes;
    }
    return false;
  };
}

/** Sizes of a frame by its header (RFC 6455, section 5.2); `undefined` while it is incomplete. */
function readHeader(bytes: Buffer): { headerBytes: number; payloadBytes: number } | undefined {
  if (bytes.length < 2) return undefined;
  const second = bytes.readUInt8(1);
  const maskBytes = second >= 0x80 ? 4 : 0;
  const short = second & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const headerBytes = 2 + lengthBytes + maskBytes;
  if (bytes.length < headerBytes) return undefined;
  if (lengthBytes === 0) return { headerBytes, payloadBytes: short };
  const payloadBytes = lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { headerBytes, payloadBytes };
}
