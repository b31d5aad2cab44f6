// Reads the CloudFront distribution out of a template: which paths go to which origin, and how.
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { region } from '../template/names.ts';
import { type Resources, resourcesOfType } from '../template/typed.ts';

// The managed policies the Hub's own paths use: nothing cached, everything but `Host` passed on.
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const BehaviorShape = z.object({
  TargetOriginId: z.string(),
  AllowedMethods: z.array(z.string()),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: z.string().optional(),
  FunctionAssociations: z
    .array(z.object({ EventType: z.literal('viewer-request'), FunctionARN: z.string() }))
    .default([]),
});
const OriginShape = z.object({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string().default(''),
  OriginCustomHeaders: z
    .array(z.object({ HeaderName: z.string(), HeaderValue: z.string() }))
    .default([]),
});
const DistributionShape = z.object({
  DistributionConfig: z.object({
    Origins: z.array(OriginShape),
    DefaultCacheBehavior: BehaviorShape,
    CacheBehaviors: z.array(BehaviorShape.extend({ PathPattern: z.string() })).default([]),
  }),
});
const EdgeFunctionShape = z.object({ FunctionCode: z.string() });

/** Where requests of a behavior go: an API of the template, or the website's bucket. */
export type Origin = {
  /** The API's ID; `undefined` for the website. */
  apiId: string | undefined;
  domainName: string;
  path: string;
  headers: Readonly<Record<string, string>>;
};
export type Behavior = {
  /** `*` for the default one. */
  pathPattern: string;
  allowedMethods: ReadonlySet<string>;
  origin: Origin;
  /** Source of a CloudFront function that changes the request first. */
  edgeFunction: string | undefined;
};

/** The distribution: behaviors in the order in which they are tried. */
export type FrontDoorDefinition = { behaviors: Behavior[] };

function toOrigin(origin: z.output<typeof OriginShape>): Origin {
  const suffix = `.execute-api.${region}.amazonaws.com`;
  const { DomainName: domainName, OriginPath: path, OriginCustomHeaders } = origin;
  return {
    domainName,
    path,
    apiId: domainName.endsWith(suffix) ? domainName.slice(0, -suffix.length) : undefined,
    headers: Object.fromEntries(
      OriginCustomHeaders.map((it) => [it.HeaderName.toLowerCase(), it.HeaderValue]),
    ),
  };
}

/** Reads the distribution; `undefined` when the template has none. */
export function readFrontDoor(resources: Resources): FrontDoorDefinition | undefined {
  const [distribution, second] = resourcesOfType(
    resources,
    'AWS::CloudFront::Distribution',
    DistributionShape,
  );
  if (second) throw new StartError('The template must have one distribution only');
  if (!distribution) return undefined;
  const { Origins, CacheBehaviors, DefaultCacheBehavior } =
    distribution.properties.DistributionConfig;
  const origins = new Map(Origins.map((origin) => [origin.Id, toOrigin(origin)]));
  const edgeFunctions = new Map(
    resourcesOfType(resources, 'AWS::CloudFront::Function', EdgeFunctionShape).map(
      ({ attribute, properties }) => [attribute('FunctionARN'), properties.FunctionCode],
    ),
  );
  const behaviors = [...CacheBehaviors, { ...DefaultCacheBehavior, PathPattern: '*' }];
  return {
    behaviors: behaviors.map((it) => {
      const origin = origins.get(it.TargetOriginId);
      if (!origin) throw new StartError(`${it.PathPattern} goes to an origin that is not there`);
      const isPassedOn =
        it.CachePolicyId === cachingDisabled &&
        it.OriginRequestPolicyId === allViewerExceptHostHeader;
      if (origin.apiId !== undefined && !isPassedOn) {
        throw new StartError(
          `${it.PathPattern} must pass everything but Host to its API, and cache nothing`,
        );
      }
      const [association] = it.FunctionAssociations;
      return {
        pathPattern: it.PathPattern,
        allowedMethods: new Set(it.AllowedMethods),
        origin,
        edgeFunction: association && edgeFunctions.get(association.FunctionARN),
      };
    }),
  };
}
