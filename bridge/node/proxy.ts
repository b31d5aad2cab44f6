// Proxies, as the environment names them: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.
import * as http from 'node:http';
import * as https from 'node:https';
import { getProxyForUrl } from 'proxy-from-env';
import { createProxyAgent } from './proxy-agent.ts';

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Agents for requests and upgrades, one per proxy, so that connections are kept and closed. */
export class Agents {
  readonly #agents = new Map<string, http.Agent>();

  /** The agent for a URL, by its proxy or direct. A Hub on this machine needs no proxy. */
  agentFor(url: string): http.Agent {
    const { protocol, host, hostname } = new URL(url.replace(/^ws/, 'http'));
    const isSecure = protocol === 'https:';
    // Links go the way of operations: the environment names proxies for http and https only.
    const proxy = loopback.test(hostname) ? '' : getProxyForUrl(`${protocol}//${host}`);
    const key = `${protocol} ${proxy}`;
    const agent = this.#agents.get(key) ?? createAgent(isSecure, proxy);
    this.#agents.set(key, agent);
    return agent;
  }

  /** Closes all connections. */
  destroy(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

function createAgent(isSecure: boolean, proxy: string): http.Agent {
  if (proxy !== '') return createProxyAgent(proxy);
  return isSecure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
}
