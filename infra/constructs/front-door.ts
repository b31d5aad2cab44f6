// The one address of the Hub: a distribution in front of the website, the operations and the links
// (design, section 1).
import { Aws, Stack, Validations } from 'aws-cdk-lib';
import type { IApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  type AddBehaviorOptions,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  HttpVersion,
  type OriginProps,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import { signInOrigin } from './accounts.ts';
import { edge } from './edge.ts';
import { generatedSecret } from './generated-secret.ts';
import type { OperationsApi } from './http-api.ts';
import type { LinkApi } from './link-api.ts';
import { SiteBucket } from './site-bucket.ts';
import { siteHeaders } from './site-headers.ts';

type Props = Readonly<{ config: HubConfig; operations: OperationsApi; links: LinkApi }>;

/** Paths that the functions answer; everything else is the website's. */
const operationPaths = ['/v1/*', '/mcp', '/oauth/*', '/device*', '/health', '/.well-known/*'];

export class FrontDoor extends Construct {
  readonly distribution: Distribution;
  /** Where the Hub is, without a slash at the end. */
  readonly url: string;
  /**
   * What the distribution adds to each request to an API; resolved at deployment, never in clear.
   */
  readonly originSecret: string;

  constructor(scope: Construct, id: string, { config, operations, links }: Props) {
    super(scope, id);
    // It opens nothing by itself: who may read it could do more without it.
    this.originSecret = generatedSecret(this, 'OriginSecret', {
      description: 'Proves to the functions that a request came through the distribution',
    });
    const toOperations = this.passedOn(operations.api, {
      functionAssociations: edge(this, 'ToOperations'),
    });
    const toLinks = this.passedOn(links.api, {
      originPath: `/${links.stage.stageName}`,
      functionAssociations: edge(this, 'ToLinks'),
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: Stack.of(this).stackName,
      ...this.domain(config.domain),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: config.priceClass,
      defaultRootObject: 'index.html',
      defaultBehavior: this.toSite(config),
      additionalBehaviors: {
        // Before `/v1/*`: the first pattern that matches counts.
        '/v1/link': toLinks,
        ...Object.fromEntries(operationPaths.map((path) => [path, toOperations])),
      },
    });
    this.url = `https://${config.domain?.name ?? this.distribution.distributionDomainName}`;
    this.acknowledgeFindings(config);
  }

  private toSite(config: HubConfig): BehaviorOptions {
    return {
      origin: S3BucketOrigin.withOriginAccessControl(new SiteBucket(this, 'Site')),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: siteHeaders(this, signInOrigin(config)),
      functionAssociations: edge(this, 'ToSite'),
    };
  }

  /** Uncached and whole, but for `Host`: with the viewer's, API Gateway would not know its API. */
  private passedOn(
    { apiId }: IApi,
    { originPath, ...options }: Pick<OriginProps, 'originPath'> & AddBehaviorOptions,
  ): BehaviorOptions {
    return {
      ...options,
      origin: new HttpOrigin(`${apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
        ...(originPath !== undefined && { originPath }),
        customHeaders: { 'x-tandry-origin': this.originSecret },
      }),
      // Not redirected: a client that spoke plain HTTP has shown its token already.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: false,
    };
  }

  /** CloudFront's own name comes with its own certificate, and that with TLS as it allows. */
  private domain(domain: HubConfig['domain']): Partial<DistributionProps> {
    if (domain === undefined) return {};
    return {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  private acknowledgeFindings({ domain }: HubConfig): void {
    Validations.of(this.distribution).acknowledge(
      {
        id: 'AwsSolutions::AwsSolutions-CFR1',
        reason: 'Agents and their owners may be anywhere',
      },
      {
        id: 'AwsSolutions::AwsSolutions-CFR2',
        reason: 'Costs more than a small Hub; an operator may attach one to the distribution',
      },
      {
        id: 'AwsSolutions::AwsSolutions-CFR3',
        reason:
          'Both APIs log; a log here would add viewers’ addresses and queries, kept by nobody',
      },
    );
    if (domain !== undefined) return;
    Validations.of(this.distribution).acknowledge({
      id: 'AwsSolutions::AwsSolutions-CFR4',
      reason: 'Fixed for CloudFront’s own certificate; a domain name of one’s own demands TLS 1.2',
    });
  }
}
