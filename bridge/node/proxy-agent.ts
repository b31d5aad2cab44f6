// Connections through one proxy. Its URL may hold a password, so no error quotes it, nor does what
// the library below prints where `DEBUG` is set.
import type { Agent, ClientRequest } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';

/** How long a proxy may take to open a way to the Hub. */
const tunnelTimeoutMs = 15_000;

/** Known by its code alone, which is what people are shown. */
class ProxyError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

class UnusableProxyAgent extends HttpsProxyAgent<string> {
  constructor() {
    super('http://proxy.invalid');
  }

  override connect(): Promise<never> {
    return Promise.reject(new ProxyError('PROXY_URL_NOT_USABLE'));
  }
}

class ProxyAgent extends HttpsProxyAgent<string> {
  /** Ways that are being opened. A request knows its socket only after that, so cannot end it. */
  readonly #attempts = new Set<AbortController>();

  override async connect(...given: Parameters<HttpsProxyAgent<string>['connect']>) {
    const attempt = new AbortController();
    const limit = setTimeout(() => attempt.abort(), tunnelTimeoutMs);
    this.#attempts.add(attempt);
    this.connectOpts = { ...this.connectOpts, signal: attempt.signal };
    try {
      return await super.connect(...given);
    } finally {
      clearTimeout(limit);
      this.#attempts.delete(attempt);
    }
  }

  override destroy(): void {
    for (const attempt of this.#attempts) attempt.abort();
    super.destroy();
  }
}

/** Never throws: whatever is wrong with a proxy is an error of the requests that go through it. */
export function createProxyAgent(proxy: string): Agent {
  const place = parse(proxy);
  if (place === undefined) return new UnusableProxyAgent();
  const agent = new ProxyAgent(place.url, { keepAlive: true, headers: place.headers });
  // Else the refusal of a proxy would pass as an answer of the Hub.
  agent.on('proxyConnect', ({ statusCode }: { statusCode: number }, request: ClientRequest) => {
    if (statusCode !== 200) request.destroy(new ProxyError('PROXY_REFUSED'));
  });
  return agent;
}

/** The URL without its credentials, and those as a header; undefined if it is none to be used. */
function parse(proxy: string): { url: URL; headers: Record<string, string> } | undefined {
  try {
    const url = new URL(proxy);
    const { protocol, username, password } = url;
    if (protocol !== 'http:' && protocol !== 'https:') return undefined;
    if (username === '' && password === '') return { url, headers: {} };
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const basic = Buffer.from(credentials).toString('base64');
    Object.assign(url, { username: '', password: '' });
    return { url, headers: { 'Proxy-Authorization': `Basic ${basic}` } };
  } catch {
    return undefined;
  }
}
