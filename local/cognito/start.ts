// A stand-in for Amazon Cognito on this machine, for development and tests only: a login page that
// asks for an email address, and tokens of Cognito's shape. Never reachable from elsewhere.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { StartError } from '../start-error.ts';
import { withClock } from './date-now.ts';
import { knownScopesOnly, loopbackOnly, sayNoMore } from './differences.ts';
import { discovery } from './discovery.ts';
import { openKeys } from './keys.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import type { CognitoOptions } from './options.ts';
import { type Addresses, createProvider } from './provider.ts';
import { openState } from './state.ts';
import { openUsers } from './users.ts';

export interface Cognito extends Addresses {
  close(): Promise<void>;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    throw new StartError(`Port ${port}, for signing in, is in use: stop what listens there`);
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/**
 * Starts the stand-in on 127.0.0.1 and resolves once it answers. Rejects with a StartError if the
 * port is taken or the state in the folder is damaged.
 */
export async function startCognito(options: CognitoOptions): Promise<Cognito> {
  const { clients, nowMs } = options;
  const db = openState(options.folder);
  const server = createServer();
  // No connection outlives its answer: after a restart on the same port none is found dead.
  server.maxRequestsPerSocket = 1;
  const port = await listen(server, options.port).catch((error) => {
    db.close();
    throw error;
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const issuer = `${baseUrl}/${encodeURIComponent(options.poolId)}`;
  const addresses = { baseUrl, issuer, jwksUri: `${issuer}/.well-known/jwks.json` };

  const keys = openKeys(db);
  const users = openUsers(db);
  const provider = createProvider({ ...addresses, clients, db, keys, users });
  const pool = `${options.poolId}, ${options.region}, ${baseUrl}`;
  provider.use(loopbackOnly);
  provider.use(knownScopesOnly);
  provider.use(discovery(addresses));
  provider.use(login({ provider, users, cookieKey: keys.cookieKey, pool }));
  provider.use(logout(provider, clients));
  sayNoMore(provider);
  provider.on('server_error', (_ctx, error) => {
    process.stderr.write(`Cognito stand-in: ${error.name}\n`);
  });

  const answer = provider.callback();
  server.on('request', (request, response) => {
    const run = () => void answer(request, response);
    if (nowMs === undefined) run();
    else withClock(nowMs, run);
  });
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    db.close();
  };
  return { ...addresses, close };
}
