// The operator's settings: CDK context keys under one prefix, checked and typed. The only reader of
// context in infra/.
import { RemovalPolicy } from 'aws-cdk-lib';
import { PriceClass } from 'aws-cdk-lib/aws-cloudfront';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { type EnvVars, PolicyEnv } from '../functions/env.ts';

const prefix = 'tandry:';
const localOrigin = 'http://localhost:8799';

/** What separates a throw-away deployment from one that people rely on: one switch, `stage`. */
const stages = {
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    logRetention: RetentionDays.ONE_WEEK,
    extraOrigins: [localOrigin],
  },
  prod: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    logRetention: RetentionDays.THREE_MONTHS,
    extraOrigins: [],
  },
} as const;

// `-c key=value` gives strings, cdk.json gives JSON: both are accepted.
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);
const origin = z.url({ protocol: /^https?$/ }).refine((url) => new URL(url).origin === url, {
  error: 'must be an origin such as https://hub.example.com, without a path or a final slash',
});
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z.array(item).default([]),
  );

/** CloudFront takes certificates from this Region only, wherever the Hub is. */
const certificateArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:acm:us-east-1:[0-9]{12}:certificate\/[0-9a-f-]+$/, {
    error: 'must be the ARN of a certificate in us-east-1',
  });

const Settings = z.strictObject({
  stage: z.enum(['dev', 'prod']).default('dev'),
  /** Further places the website is served from; each may be the target of a sign-in redirect. */
  websiteOrigins: listOf(origin),
  /** Redirect URIs that any client may use besides the known ones, such as that of another host. */
  clientRedirectUris: listOf(z.url({ protocol: /^https$/ })),
  /** The Hub's own host name, such as `hub.example.com`; CloudFront's when absent. */
  domainName: z.hostname().optional(),
  /** The certificate of that name. */
  certificateArn: certificateArn.optional(),
  /** How much of the world CloudFront serves from nearby. */
  priceClass: z.enum(PriceClass).default(PriceClass.PRICE_CLASS_100),
  /** First label of the sign-in page's host name, unique in its Region; made up when absent. */
  cognitoDomainPrefix: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
    .optional(),
  /** Who is told when an alarm changes state; nobody when absent. */
  alarmEmail: z.email().optional(),
  /** Whether anybody may make an account; otherwise the operator invites people. */
  selfSignUp: flag.default(false),
  ...PolicyEnv.shape,
});

type PolicyName = keyof z.infer<typeof PolicyEnv>;
const policyNames = PolicyEnv.keyof().options;

export type HubConfig = Readonly<{
  stage: keyof typeof stages;
  removalPolicy: RemovalPolicy;
  deletionProtection: boolean;
  logRetention: RetentionDays;
  websiteOrigins: readonly string[];
  clientRedirectUris: readonly string[];
  domain: Readonly<{ name: string; certificateArn: string }> | undefined;
  priceClass: PriceClass;
  cognitoDomainPrefix: string | undefined;
  alarmEmail: string | undefined;
  selfSignUp: boolean;
  /** Only what the operator set; the functions know the defaults. */
  policy: Partial<EnvVars<typeof PolicyEnv>>;
}>;

/**
 * Reads the settings out of a construct tree's context (`node.getAllContext()`).
 * @throws Error that names every unknown or wrong setting.
 */
export function readConfig(context: Record<string, unknown>): HubConfig {
  const given = Object.fromEntries(
    Object.entries(context)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    throw new Error(`Settings (context keys "${prefix}…"): ${z.prettifyError(parsed.error)}`);
  }
  const settings = parsed.data;
  const { extraOrigins, ...protection } = stages[settings.stage];
  return {
    ...protection,
    stage: settings.stage,
    websiteOrigins: [...settings.websiteOrigins, ...extraOrigins],
    clientRedirectUris: settings.clientRedirectUris,
    domain: customDomain(settings),
    priceClass: settings.priceClass,
    cognitoDomainPrefix: settings.cognitoDomainPrefix,
    alarmEmail: settings.alarmEmail,
    selfSignUp: settings.selfSignUp,
    policy: givenPolicy(settings, given),
  };
}

function customDomain({
  domainName,
  certificateArn,
}: z.infer<typeof Settings>): HubConfig['domain'] {
  if (domainName === undefined && certificateArn === undefined) return undefined;
  if (domainName === undefined || certificateArn === undefined) {
    throw new Error(`Settings: ${prefix}domainName and ${prefix}certificateArn need each other`);
  }
  return { name: domainName, certificateArn };
}

function givenPolicy(
  settings: Record<PolicyName, number>,
  given: Record<string, unknown>,
): HubConfig['policy'] {
  const names = policyNames.filter((name) => name in given);
  return Object.fromEntries(names.map((name) => [name, String(settings[name])]));
}
