// A person's word for one client: it may act for this account, at this Hub.
import type Provider from 'oidc-provider';
import { resourceOf, scope } from '../resource.ts';
import type { AuthServer } from './context.ts';

/** Records the grant and gives its ID. */
export async function grantClient(
  provider: Provider,
  server: AuthServer,
  { clientId, account }: { readonly clientId: string; readonly account: string },
): Promise<string> {
  const grant = new provider.Grant({ clientId, accountId: account });
  grant.addResourceScope(resourceOf(server), scope);
  grant.addOIDCScope('offline_access');
  return grant.save();
}
