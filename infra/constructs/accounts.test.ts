// Who may sign in and how, and that the website's client can neither keep nor need a secret.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { domainContext, hubTemplate, prodContext } from '../testing/hub-template.ts';

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

  it('has a managed sign-in page with a branding for the website', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolDomain', { ManagedLoginVersion: 2 });
    template.hasResourceProperties('AWS::Cognito::ManagedLoginBranding', {
      ClientId: { Ref: Match.stringLikeRegexp('Website') },
      UseCognitoProvidedValues: true,
    });
  });

  it('takes the operator’s name for the sign-in page', () => {
    hubTemplate({ 'tandry:cognitoDomainPrefix': 'our-hub' }).hasResourceProperties(
      'AWS::Cognito::UserPoolDomain',
      { Domain: 'our-hub' },
    );
  });
});

describe('the website’s client', () => {
  const clients = hubTemplate(prodContext).findResources('AWS::Cognito::UserPoolClient');

  it('is the only one, public, with the code grant alone', () => {
    expect(Object.values(clients)).toMatchObject([
      {
        Properties: {
          GenerateSecret: false,
          AllowedOAuthFlows: ['code'],
          AllowedOAuthScopes: ['openid', 'email'],
          ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
          SupportedIdentityProviders: ['COGNITO'],
        },
      },
    ]);
  });

  const distribution = {
    'Fn::Join': [
      '',
      [
        'https://',
        { 'Fn::GetAtt': [expect.stringMatching(/^FrontDoorDistribution/), 'DomainName'] },
        '/',
      ],
    ],
  };

  it.each([
    ['the distribution alone in production', prodContext, [distribution]],
    ['the local stack, too, in dev', {}, [distribution, 'http://localhost:8799/']],
    [
      'further places of the operator’s',
      { ...prodContext, 'tandry:websiteOrigins': 'https://other.example.com' },
      [distribution, 'https://other.example.com/'],
    ],
    [
      'the Hub’s own name instead of the distribution’s',
      { ...prodContext, ...domainContext },
      ['https://hub.example.com/'],
    ],
  ])('redirects to %s', (_, context, pages) => {
    const found = hubTemplate(context).findResources('AWS::Cognito::UserPoolClient');
    expect(Object.values(found)).toMatchObject([
      { Properties: { CallbackURLs: pages, LogoutURLs: pages } },
    ]);
  });

  it('hands out short access tokens and rotates refresh tokens', () => {
    expect(Object.values(clients)).toMatchObject([
      {
        Properties: {
          AccessTokenValidity: 60,
          IdTokenValidity: 60,
          RefreshTokenValidity: 43_200,
          TokenValidityUnits: {
            AccessToken: 'minutes',
            IdToken: 'minutes',
            RefreshToken: 'minutes',
          },
          RefreshTokenRotation: { Feature: 'ENABLED' },
          EnableTokenRevocation: true,
          PreventUserExistenceErrors: 'ENABLED',
        },
      },
    ]);
  });
});
