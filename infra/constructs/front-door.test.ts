// Which paths of the one address go where, that nothing is cached or lost on the way to the
// functions, and what keeps the way around it shut.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { domainContext, hubTemplate, prodContext } from '../testing/hub-template.ts';

const template = hubTemplate(prodContext);

function configuration(context: Record<string, unknown> = prodContext) {
  const [distribution, ...others] = Object.values(
    hubTemplate(context).findResources('AWS::CloudFront::Distribution'),
  );
  expect(others).toEqual([]);
  return distribution?.['Properties']['DistributionConfig'];
}

const config = configuration();
const [site, links, operations] = ['FrontDoorSite', 'LinksApi', 'OperationsApi'].map((id) =>
  config['Origins'].find((origin: { DomainName: unknown }) =>
    JSON.stringify(origin.DomainName).includes(`"${id}`),
  ),
);
const everyMethod = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];
const originSecret = {
  'Fn::Join': [
    '',
    [
      '{{resolve:secretsmanager:',
      { Ref: expect.stringMatching(/^FrontDoorOriginSecret/) },
      ':SecretString:::}}',
    ],
  ],
};

function viewerRequest(id: RegExp) {
  const FunctionARN = { 'Fn::GetAtt': [expect.stringMatching(id), 'FunctionARN'] };
  return [{ EventType: 'viewer-request', FunctionARN }];
}

describe('the front door', () => {
  it('leads links to the WebSocket API, and all other calls to the HTTP API', () => {
    type Behavior = { PathPattern: string; TargetOriginId: string };
    const table = config['CacheBehaviors'].map((it: Behavior) => [
      it.PathPattern,
      it.TargetOriginId,
    ]);
    // In this order: the first pattern that matches counts.
    expect(table).toEqual([
      ['/v1/link', links.Id],
      ['/v1/*', operations.Id],
      ['/mcp', operations.Id],
      ['/oauth/*', operations.Id],
      ['/device*', operations.Id],
      ['/health', operations.Id],
      ['/.well-known/*', operations.Id],
    ]);
  });

  it('passes calls on whole and uncached, without the viewer’s Host', () => {
    const [toLinks, ...toOperations] = config['CacheBehaviors'];
    for (const behavior of config['CacheBehaviors']) {
      expect(behavior).toMatchObject({
        AllowedMethods: everyMethod,
        // The managed policies CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
        Compress: false,
      });
    }
    expect(toLinks.FunctionAssociations).toEqual(viewerRequest(/^FrontDoorToLinks/));
    for (const { FunctionAssociations } of toOperations) {
      expect(FunctionAssociations).toEqual(viewerRequest(/^FrontDoorToOperations/));
    }
  });

  it.each([
    ['WebSocket', links, /^LinksApi/, '/link'],
    ['HTTP', operations, /^OperationsApi/, undefined],
  ])('proves to the %s API, over TLS 1.2, that a call came through it', (_, origin, api, path) => {
    expect(origin).toMatchObject({
      DomainName: {
        'Fn::Join': [
          '',
          [
            { Ref: expect.stringMatching(api) },
            '.execute-api.',
            { Ref: 'AWS::Region' },
            '.',
            { Ref: 'AWS::URLSuffix' },
          ],
        ],
      },
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: [{ HeaderName: 'x-tandry-origin', HeaderValue: originSecret }],
    });
    expect(origin.OriginPath).toBe(path);
  });

  it('keeps the proof out of the template: it is made at deployment', () => {
    template.resourceCountIs('AWS::SecretsManager::Secret', 2);
    template.allResourcesProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
      SecretString: Match.absent(),
    });
  });

  it('leads everything else to the website, of which it only reads', () => {
    expect(config['DefaultRootObject']).toBe('index.html');
    expect(config['DefaultCacheBehavior']).toMatchObject({
      TargetOriginId: site.Id,
      AllowedMethods: ['GET', 'HEAD'],
      ViewerProtocolPolicy: 'redirect-to-https',
      ResponseHeadersPolicyId: { Ref: expect.stringMatching(/^FrontDoorSiteHeaders/) },
      FunctionAssociations: viewerRequest(/^FrontDoorToSite/),
    });
    expect(site.OriginAccessControlId).toBeDefined();
    expect(site.OriginCustomHeaders).toBeUndefined();
  });

  it('turns no refusal of a function into a page', () => {
    expect(config).not.toHaveProperty('CustomErrorResponses');
  });

  it.each(['PriceClass_100', 'PriceClass_All'])('serves from as near as %s', (priceClass) => {
    const context = { 'tandry:priceClass': priceClass };
    expect(configuration(context)).toMatchObject({ PriceClass: priceClass });
  });

  it('speaks HTTP/2 and HTTP/3, and writes no log of its own', () => {
    expect(config).toMatchObject({ Enabled: true, HttpVersion: 'http2and3' });
    expect(config).not.toHaveProperty('Logging');
  });

  it('has the name of the distribution unless there is a domain', () => {
    expect(config).not.toHaveProperty('Aliases');
    template.hasOutput('HubUrl', {
      Value: {
        'Fn::Join': [
          '',
          ['https://', { 'Fn::GetAtt': [Match.stringLikeRegexp('^FrontDoor'), 'DomainName'] }],
        ],
      },
    });
  });

  it('takes the operator’s domain, with TLS 1.2 at least', () => {
    const context = { ...prodContext, ...domainContext };
    expect(configuration(context)).toMatchObject({
      Aliases: ['hub.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: domainContext['tandry:certificateArn'],
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
    hubTemplate(context).hasOutput('HubUrl', { Value: 'https://hub.example.com' });
  });
});

describe('the website’s bucket', () => {
  it('is encrypted, and public in no way', () => {
    template.resourceCountIs('AWS::S3::Bucket', 1);
    template.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
        ],
      },
    });
  });

  it('lets this one distribution read and refuses whatever is not TLS', () => {
    const [policy] = Object.values(template.findResources('AWS::S3::BucketPolicy'));
    const statements = policy?.['Properties']['PolicyDocument']['Statement'];
    expect(statements).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Effect: 'Deny', Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } },
      {
        Effect: 'Allow',
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
      },
    ]);
    expect(JSON.stringify(statements[2].Condition)).toMatch(/"Ref":"FrontDoorDistribution/);
  });
});

describe('the website’s pages', () => {
  it('may load nothing from elsewhere, be framed by nobody, and call only the sign-in', () => {
    template.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentTypeOptions: { Override: true },
          FrameOptions: { FrameOption: 'DENY', Override: true },
          ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
          StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
        },
      },
    });
    const context = { 'tandry:cognitoDomainPrefix': 'our-hub' };
    const [policy] = Object.values(
      hubTemplate(context).findResources('AWS::CloudFront::ResponseHeadersPolicy'),
    );
    const headers = policy?.['Properties']['ResponseHeadersPolicyConfig']['SecurityHeadersConfig'];
    const [, [before, region, after]] =
      headers.ContentSecurityPolicy.ContentSecurityPolicy['Fn::Join'];
    expect(region).toEqual({ Ref: 'AWS::Region' });
    expect(`${before}eu-central-1${after}`.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "manifest-src 'self'",
      "connect-src 'self' https://our-hub.auth.eu-central-1.amazoncognito.com",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
  });
});
