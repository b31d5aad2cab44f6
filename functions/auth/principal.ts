// Who calls: one account, by one kind of credential.

/** A credential's owner. Kinds are not interchangeable (design, section 5). */
export interface Principal {
  /** Immutable account ID: the Cognito `sub`. */
  readonly account: string;
  readonly kind: 'website';
  /** What the credential was given to: its links end with it. All website sessions share one. */
  readonly device: string;
}

/** Credential to principal; undefined for one that is unknown, expired or meant for elsewhere. */
export type Authenticate = (bearer: string) => Promise<Principal | undefined>;
