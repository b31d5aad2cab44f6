// Where people sign in: the user pool, its managed sign-in page and the public clients of the
// website and of the authorization server.
import { Aws, Duration, Fn, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  FeaturePlan,
  ManagedLoginVersion,
  OAuthScope,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolClientOptions,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

type Props = Readonly<{
  config: HubConfig;
  /** Where the website is served from; each may be the target of a sign-in redirect. */
  websiteOrigins: readonly string[];
  /** Where the Hub is, without a slash at the end. */
  hubUrl: string;
}>;

const codeOnly = {
  authorizationCodeGrant: true,
  implicitCodeGrant: false,
  clientCredentials: false,
};

const publicClient: UserPoolClientOptions = {
  generateSecret: false,
  // The choice of factors, which the sign-in page needs; no password goes through our code.
  authFlows: { user: true },
  supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
  preventUserExistenceErrors: true,
  enableTokenRevocation: true,
  // A stolen refresh token is found out; the grace is for two tabs that refresh at once.
  refreshTokenRotationGracePeriod: Duration.seconds(30),
};

export class Accounts extends Construct {
  readonly userPool: UserPool;
  readonly websiteClient: UserPoolClient;
  /** The authorization server's own, which sends people here to say who they are. */
  readonly authClient: UserPoolClient;
  /** The `iss` of the pool's tokens. */
  readonly issuer: string;
  readonly jwksUri: string;

  constructor(scope: Construct, id: string, { config, websiteOrigins, hubUrl }: Props) {
    super(scope, id);
    this.userPool = new UserPool(this, 'People', {
      featurePlan: FeaturePlan.ESSENTIALS,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      signInPolicy: { allowedFirstAuthFactors: { password: true, emailOtp: true, passkey: true } },
      autoVerify: { email: true },
      keepOriginal: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: false,
        requireUppercase: false,
        requireDigits: false,
        requireSymbols: false,
        tempPasswordValidity: Duration.days(3),
      },
      selfSignUpEnabled: config.selfSignUp,
      deletionProtection: config.deletionProtection,
      removalPolicy: config.removalPolicy,
    });
    Validations.of(this.userPool).acknowledge(
      {
        id: 'AwsSolutions::AwsSolutions-COG1',
        reason: 'Twelve characters instead of character classes, as NIST SP 800-63B advises',
      },
      {
        id: 'AwsSolutions::AwsSolutions-COG2',
        reason:
          'A pool that requires MFA cannot offer passkeys and e-mail codes as the only factor',
      },
      {
        id: 'AwsSolutions::AwsSolutions-COG8',
        reason: 'Threat protection (Plus) costs per person; an operator may turn it on',
      },
    );
    this.websiteClient = this.addWebsiteClient(websiteOrigins);
    this.authClient = this.addAuthClient(hubUrl);
    this.addSignInPage(config);
    this.issuer = this.userPool.userPoolProviderUrl;
    this.jwksUri = `${this.issuer}/.well-known/jwks.json`;
  }

  /** Code with PKCE and no secret: a browser cannot keep one (RFC 9700, section 2.1). */
  private addWebsiteClient(origins: readonly string[]): UserPoolClient {
    const pages = origins.map((origin) => `${origin}/`);
    return this.userPool.addClient('Website', {
      ...publicClient,
      oAuth: {
        flows: codeOnly,
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: pages,
        logoutUrls: pages,
      },
      accessTokenValidity: Duration.hours(1),
      idTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
    });
  }

  /** It reads who signed in from the ID token and throws all tokens away: none needs to last. */
  private addAuthClient(hubUrl: string): UserPoolClient {
    return this.userPool.addClient('Auth', {
      ...publicClient,
      oAuth: {
        flows: codeOnly,
        scopes: [OAuthScope.OPENID],
        callbackUrls: [`${hubUrl}/oauth/callback`],
      },
      accessTokenValidity: Duration.minutes(5),
      idTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.hours(1),
    });
  }

  private addSignInPage(config: HubConfig): void {
    this.userPool.addDomain('SignIn', {
      cognitoDomain: { domainPrefix: domainPrefix(config) },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    this.brand('Branding', this.websiteClient);
    this.brand('AuthBranding', this.authClient);
  }

  /** Without a branding of its own a client's page says that it is not available. */
  private brand(id: string, { userPoolClientId: clientId }: UserPoolClient): void {
    const { userPoolId } = this.userPool;
    new CfnManagedLoginBranding(this, id, { userPoolId, clientId, useCognitoProvidedValues: true });
  }
}

/** Where the sign-in page is, without a slash at the end; known before the page is there. */
export function signInOrigin(config: Pick<HubConfig, 'cognitoDomainPrefix'>): string {
  return `https://${domainPrefix(config)}.auth.${Aws.REGION}.amazoncognito.com`;
}

/** Without a setting unique, stable while the stack lives, and no account number: from its UUID. */
function domainPrefix(config: Pick<HubConfig, 'cognitoDomainPrefix'>): string {
  if (config.cognitoDomainPrefix !== undefined) return config.cognitoDomainPrefix;
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `tandry-${Fn.select(0, Fn.split('-', uuid))}`;
}
