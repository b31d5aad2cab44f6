// The template's user pool and its clients, as the sign-in stand-in takes them.
import * as z from 'zod';
import type { AppClient } from '../cognito/options.ts';
import { StartError } from '../start-error.ts';
import { namesByType } from './names.ts';
import type { ResolvedResource } from './resolve.ts';

const ClientShape = z.object({
  UserPoolId: z.string(),
  CallbackURLs: z.array(z.string()).default([]),
  LogoutURLs: z.array(z.string()).default([]),
  GenerateSecret: z.literal(false).optional(),
});

/** The one user pool with its clients. */
export type Accounts = { poolId: string; clients: AppClient[] };

/** Reads the pool; `undefined` when the template has none. */
export function readAccounts(
  resources: ReadonlyMap<string, ResolvedResource>,
): Accounts | undefined {
  const ofType = (type: string) => [...resources.values()].filter(({ Type }) => Type === type);
  const refOf = (it: ResolvedResource) => namesByType[it.Type]?.ref(it) ?? it.logicalId;
  const [pool, second] = ofType('AWS::Cognito::UserPool');
  if (second) throw new StartError('The template must have one user pool only');
  if (!pool) return undefined;
  const clients = ofType('AWS::Cognito::UserPoolClient').map((client) => {
    const parsed = ClientShape.safeParse(client.properties);
    if (!parsed.success)
      throw new StartError(`${client.logicalId}: ${z.prettifyError(parsed.error)}`);
    const { CallbackURLs: callbackUrls, LogoutURLs: logoutUrls } = parsed.data;
    return { clientId: refOf(client), callbackUrls, logoutUrls };
  });
  return { poolId: refOf(pool), clients };
}
