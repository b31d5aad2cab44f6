// Who may sign in and how, and that no client can keep or need a secret.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { domainContext, hubTemplate, prodContext } from '../testing/hub-template.ts';

/** Properties of the pool's client under that name. */
function clientOf(name: 'Website' | 'Auth', context: Record<string, unknown> = prodContext) {
  const clients = Object.entries(
    hubTemplate(context).findResources('AWS::Cognito::UserPoolClient'),
  );
  return clients.find(([id]) => id.startsWith(`AccountsPeople${name}`))?.[1]['Properties'];
}

/** Something at the distribution's own name. */
function atDistribution(path: string) {
  const name = { 'Fn::GetAtt': [expect.stringMatching(/^FrontDoorDistribution/), 'DomainName'] };
  return { 'Fn::Join': ['', ['https://', name, path]] };
}

describe('the user pool', () => {
  const template = hubTemplate();

  it('signs in by e-mail with a password, a code or a passkey', () => {
    template.hasResourceProperties('AWS::Cognito::UserPool', {
      UsernameAttributes: ['email'],
      UserPoolTier: 'ESSENTIALS',
      Policies: {
        PasswordPolicy: Match.objectLike({ MinimumLength: 12 }),
        SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'] },
      },
    });
  });

  it.each([
    [{}, true],
    [{ 'tandry:selfSignUp': 'true' }, false],
  ])('is invitation only unless the operator opens it (%j)', (context, invitationOnly) => {
    hubTemplate(context).hasResourceProperties('AWS::Cognito::UserPool', {
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: invitationOnly },
    });
  });

  it('is kept in production', () => {
    hubTemplate(prodContext).hasResource('AWS::Cognito::UserPool', {
      DeletionPolicy: 'Retain',
      Properties: { DeletionProtection: 'ACTIVE' },
    });
  });

  it('has a managed sign-in page with a branding for each client', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolDomain', { ManagedLoginVersion: 2 });
    const clients = Object.keys(template.findResources('AWS::Cognito::UserPoolClient'));
    template.resourceCountIs('AWS::Cognito::ManagedLoginBranding', clients.length);
    for (const Ref of clients) {
      template.hasResourceProperties('AWS::Cognito::ManagedLoginBranding', {
        ClientId: { Ref },
        UseCognitoProvidedValues: true,
      });
    }
  });

  it('takes the operator’s name for the sign-in page', () => {
    hubTemplate({ 'tandry:cognitoDomainPrefix': 'our-hub' }).hasResourceProperties(
      'AWS::Cognito::UserPoolDomain',
      { Domain: 'our-hub' },
    );
  });
});

describe('the clients', () => {
  it('are the website and the authorization server alone', () => {
    hubTemplate().resourceCountIs('AWS::Cognito::UserPoolClient', 2);
  });

  it.each([
    ['Website', ['openid', 'email']],
    ['Auth', ['openid']],
  ] as const)('%s is public, with the code grant alone', (name, scopes) => {
    expect(clientOf(name)).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: scopes,
      ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
      SupportedIdentityProviders: ['COGNITO'],
      EnableTokenRevocation: true,
      RefreshTokenRotation: { Feature: 'ENABLED' },
      PreventUserExistenceErrors: 'ENABLED',
    });
  });
});

describe('the website’s client', () => {
  it.each([
    ['the distribution alone in production', prodContext, [atDistribution('/')]],
    ['the local stack, too, in dev', {}, [atDistribution('/'), 'http://localhost:8799/']],
    [
      'further places of the operator’s',
      { ...prodContext, 'tandry:websiteOrigins': 'https://other.example.com' },
      [atDistribution('/'), 'https://other.example.com/'],
    ],
    [
      'the Hub’s own name instead of the distribution’s',
      { ...prodContext, ...domainContext },
      ['https://hub.example.com/'],
    ],
  ])('redirects to %s', (_, context, pages) => {
    expect(clientOf('Website', context)).toMatchObject({ CallbackURLs: pages, LogoutURLs: pages });
  });

  it('hands out access tokens for an hour and refresh tokens for a month', () => {
    expect(clientOf('Website')).toMatchObject({
      AccessTokenValidity: 60,
      IdTokenValidity: 60,
      RefreshTokenValidity: 43_200,
      TokenValidityUnits: {
        AccessToken: 'minutes',
        IdToken: 'minutes',
        RefreshToken: 'minutes',
      },
    });
  });
});

describe('the authorization server’s client', () => {
  it.each([
    ['the distribution', {}, atDistribution('/oauth/callback')],
    ['the Hub’s own name', domainContext, 'https://hub.example.com/oauth/callback'],
  ])('redirects to the callback at %s and nowhere else', (_, context, callback) => {
    const properties = clientOf('Auth', {
      ...context,
      'tandry:websiteOrigins': 'https://a.example',
    });
    expect(properties).toMatchObject({ CallbackURLs: [callback] });
    expect(properties).not.toHaveProperty('LogoutURLs');
  });

  it('gets tokens that last as short as the pool allows', () => {
    expect(clientOf('Auth')).toMatchObject({
      AccessTokenValidity: 5,
      IdTokenValidity: 5,
      RefreshTokenValidity: 60,
    });
  });
});
