// Requests by node:http, because `fetch` takes no agent and so knows no proxy on every Node.
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import type { Http } from '../hub/http.ts';
import type { Agents } from './proxy.ts';

export function nodeHttp(agents: Agents): Http {
  return ({ url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { request } = url.startsWith('https:') ? https : http;
      const options = { method: 'POST', headers, agent: agents.agentFor(url), signal };
      const sent = request(url, options, (reply) => {
        text(reply).then(
          (answer) => resolve({ status: reply.statusCode ?? 0, body: answer }),
          reject,
        );
      });
      sent.on('error', reject);
      // Said by `error` too, but where a proxy is still opening the way only once it has.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      sent.end(body);
    });
}
