// The real assembly: bundles that load, and a template that CloudFormation's own schemas and two
// packs of rules accept.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubApp } from './hub-app.ts';
import { projectContext, synthesize } from './synthesize.ts';
import { prodContext } from './testing/hub-template.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandry-infra-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('synthesize', () => {
  type Resource = Readonly<{
    Type: string;
    Properties: { Environment: { Variables: Record<string, unknown> } };
    Metadata: Record<string, string>;
  }>;
  let functions: { bundle: string; variables: string[] }[];

  beforeAll(() => {
    const outdir = join(folder, 'bundles');
    const [stack] = synthesize(outdir).stacks;
    const resources = Object.values<Resource>(stack?.template['Resources']);
    functions = resources
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties, Metadata }) => ({
        bundle: join(outdir, Metadata['aws:asset:path'] ?? ''),
        variables: Object.keys(Properties.Environment.Variables),
      }));
  });

  it('gives each function a bundle of its own: one minified file without a source map', () => {
    expect(new Set(functions.map(({ bundle }) => bundle))).toHaveProperty('size', 6);
    for (const { bundle } of functions) {
      expect(readdirSync(bundle)).toEqual(['index.js']);
      expect(readFileSync(join(bundle, 'index.js'), 'utf8')).not.toContain('sourceMappingURL');
    }
  });

  it('gives bundles that load outside the project with no more than their environment', () => {
    const program = 'console.log(typeof require(process.argv[1]).handler)';
    for (const { bundle, variables } of functions) {
      const env = {
        AWS_REGION: 'us-east-1',
        ...Object.fromEntries(
          variables.map((name) => [name, 'https://long-enough-for-a-secret.example.com']),
        ),
      };
      // ESM would load as well, but slower: the bundle must be CommonJS.
      const args = ['--no-experimental-require-module', '-e', program, join(bundle, 'index.js')];
      const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
      expect(output.trim()).toBe('function');
    }
  });
});

describe('the template', () => {
  /** Synthesizes with every check, as `cdk deploy` would with the two rule packs switched on. */
  function check(change: (hub: Stack) => void = () => {}): void {
    const { app, hub } = hubApp({
      outdir: mkdtempSync(join(folder, 'checked-')),
      context: {
        ...projectContext(),
        ...prodContext,
        'aws:cdk:bundling-stacks': [],
        'tandry:alarmEmail': 'ops@example.com',
      },
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    change(hub);
    app.synth();
  }

  it('passes CloudFormation’s schemas, AwsSolutions and Serverless', { timeout: 60_000 }, () => {
    expect(() => check()).not.toThrow();
  });

  it.each([
    ['an unknown type', 'AWS::SQS::Quue', {}, 'F3006'],
    ['an unknown property', 'AWS::SNS::Topic', { Colour: 'red' }, 'F3002'],
    ['a missing property', 'AWS::ApiGatewayV2::Route', { RouteKey: 'GET /' }, 'F3003'],
  ])('would not pass with %s', (_, type, properties, rule) => {
    const plant = (hub: Stack) => new CfnResource(hub, 'Planted', { type, properties });
    expect(() => check(plant)).toThrow(rule);
  });

  it('would not pass with an unsafe resource', () => {
    expect(() => check((hub) => new Topic(hub, 'Planted'))).toThrow('AwsSolutions-SNS3');
  });
});
