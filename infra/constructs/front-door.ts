// The one address of the Hub: a distribution in front of the website, the operations and the links
// (design, section 1).
import { Aws, Stack } from 'aws-cdk-lib';
import type { IApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import type { OperationsApi } from './http-api.ts';
import type { LinkApi } from './link-api.ts';
import { SiteBucket } from './site-bucket.ts';
import { siteHeaders } from './site-headers.ts';

type Props = Readonly<{ config: HubConfig; operations: OperationsApi; links: LinkApi }>;

/** Paths that the functions answer; everything else is the website's. */
const operationPaths = ['/v1/*', '/mcp', '/oauth/*', '/device*', '/health', '/.well-known/*'];

export class FrontDoor extends Construct {
  readonly distribution: Distribution;
  readonly site: SiteBucket;
  /** Where the Hub is, without a slash at the end. */
  readonly url: string;
  /**
   * What the distribution adds to each request to an API, as a reference that is resolved at
   * deployment. In clear it stands in two configurations of this account, which is as much as it is
   * worth: it proves that a request came through here, and opens nothing by itself.
   */
  readonly originSecret: string;

  constructor(scope: Construct, id: string, { config, operations, links }: Props) {
    super(scope, id);
    const secret = new Secret(this, 'OriginSecret', {
      description: 'Proves to the functions that a request came through the distribution',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: config.removalPolicy,
    });
    this.originSecret = secret.secretValue.unsafeUnwrap();
    this.site = new SiteBucket(this, 'Site', config);

    const operationsOrigin = this.originOf(operations.api);
    this.distribution = new Distribution(this, 'Distribution', {
      comment: Stack.of(this).stackName,
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.site),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: siteHeaders(this),
      },
      additionalBehaviors: {
        // Before `/v1/*`: the first pattern that matches counts.
        '/v1/link': {
          ...passedOn(this.originOf(links.api, `/${links.stage.stageName}`)),
          functionAssociations: [
            { eventType: FunctionEventType.VIEWER_REQUEST, function: this.toStageRoot() },
          ],
        },
        ...Object.fromEntries(operationPaths.map((path) => [path, passedOn(operationsOrigin)])),
      },
      ...customDomain(this, config.domain),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
    });
    this.url = `https://${config.domain?.name ?? this.distribution.distributionDomainName}`;
  }

  private originOf({ apiId }: IApi, originPath?: string): HttpOrigin {
    return new HttpOrigin(`${apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
      ...(originPath !== undefined && { originPath }),
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      customHeaders: { 'x-tandry-origin': this.originSecret },
    });
  }

  /** A WebSocket API has no paths below its stage. */
  private toStageRoot(): EdgeFunction {
    return new EdgeFunction(this, 'ToStageRoot', {
      comment: 'Rewrites the path of a room link to the root of its stage',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(
        "function handler(event) { event.request.uri = '/'; return event.request; }",
      ),
    });
  }
}

/** CloudFront's own name comes with its own certificate, and with TLS as that one allows. */
function customDomain(scope: Construct, domain: HubConfig['domain']): Partial<DistributionProps> {
  if (domain === undefined) return {};
  return {
    domainNames: [domain.name],
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

/** Uncached and whole, but for `Host`: with the viewer's, API Gateway would not know its API. */
function passedOn(origin: IOrigin): BehaviorOptions {
  return {
    origin,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    compress: false,
  };
}
