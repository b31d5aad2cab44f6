// The template's user pool and its clients, as the sign-in stand-in takes them.
import * as z from 'zod';
import type { AppClient } from '../cognito/options.ts';
import { StartError } from '../start-error.ts';
import { type Resources, resourcesOfType } from './typed.ts';

const ClientShape = z.object({
  UserPoolId: z.string(),
  CallbackURLs: z.array(z.string()).default([]),
  LogoutURLs: z.array(z.string()).default([]),
  GenerateSecret: z.literal(false).optional(),
});

/** The one user pool with its clients. */
export type Accounts = { poolId: string; clients: AppClient[] };

/** Reads the pool; `undefined` when the template has none. */
export function readAccounts(resources: Resources): Accounts | undefined {
  const [pool, second] = resourcesOfType(resources, 'AWS::Cognito::UserPool', z.object({}));
  if (second) throw new StartError('The template must have one user pool only');
  if (!pool) return undefined;
  const clients = resourcesOfType(resources, 'AWS::Cognito::UserPoolClient', ClientShape);
  return {
    poolId: pool.ref,
    clients: clients.map(({ ref, properties }) => ({
      clientId: ref,
      callbackUrls: properties.CallbackURLs,
      logoutUrls: properties.LogoutURLs,
    })),
  };
}
