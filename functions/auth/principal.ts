// Who calls: one account, by one kind of credential.
import type { HostKind } from '../../protocol/nouns.ts';

/** A credential's owner. Kinds are not interchangeable (design, section 5). */
export interface Principal {
  /** Immutable account ID: the Cognito `sub`. */
  readonly account: string;
  readonly kind: 'website' | 'device' | 'connector';
  /** What the credential was given to, and ends with: a machine, a website session, a grant. */
  readonly device: string;
  /** Host kind of a connector's conversations: its OAuth client's, never what it says of itself. */
  readonly host?: HostKind | undefined;
}

/** Credential to principal; undefined for one that is unknown, expired or meant for elsewhere. */
export type Authenticate = (bearer: string) => Promise<Principal | undefined>;
