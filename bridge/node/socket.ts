// WebSockets by `ws`, with headers, through proxies.
import { WebSocket } from 'ws';
import type { OpenSocket, SocketEnd } from '../link/socket.ts';
import type { Agents } from './proxy.ts';

/** Frames of the Hub are small; API Gateway allows 128 KB. */
const maxPayload = 128 * 1024;
/** Bun has a `ws` of its own, which does not report a refused upgrade, and warns if asked to. */
const tellsRefusals = process.versions['bun'] === undefined;

export function nodeSocket(agents: Agents): OpenSocket {
  return ({ url, headers }, { opened, received, closed }) => {
    const socket = new WebSocket(url, {
      headers,
      agent: agents.agentFor(url),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload,
    });
    let hasOpened = false;
    let refusedStatus: SocketEnd['refusedStatus'];
    socket.on('open', () => {
      hasOpened = true;
      opened();
    });
    socket.on('message', (message, isBinary) => {
      if (!isBinary) received(message.toString());
    });
    if (tellsRefusals) {
      socket.on('unexpected-response', (_request, { statusCode }) => {
        refusedStatus = statusCode;
        socket.terminate();
      });
    } else refusedStatus = 'unknown';
    // `close` follows, and says all there is to know.
    socket.on('error', () => {});
    socket.on('close', (code) => {
      if (hasOpened) closed({ code });
      else closed(refusedStatus === undefined ? {} : { refusedStatus });
    });
    return {
      send: (text) => socket.send(text, () => {}),
      close: () => socket.close(),
      terminate: () => socket.terminate(),
    };
  };
}
