// The Hub's template for tests, made without bundling the functions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { hubApp } from '../hub-app.ts';
import { projectContext } from '../synthesize.ts';

/** The settings a production deployment needs at least. */
export const prodContext = { 'tandry:stage': 'prod' } as const;

/** The settings of a Hub with a host name of its own. */
export const domainContext = {
  'tandry:domainName': 'hub.example.com',
  'tandry:certificateArn': 'arn:aws:acm:us-east-1:111122223333:certificate/12ab-34cd',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'tandry-template-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The app with the flags of `cdk.json` and these settings, its functions not bundled. */
export function unbundledApp(context: Record<string, unknown> = {}): ReturnType<typeof hubApp> {
  return hubApp({
    context: { ...projectContext(), 'aws:cdk:bundling-stacks': [], ...context },
    builtinCloudFormationValidation: false,
    outdir: mkdtempSync(join(folder, 'app-')),
  });
}

/** The Hub's template under these settings. */
export function hubTemplate(context: Record<string, unknown> = {}): Template {
  return Template.fromStack(unbundledApp(context).hub);
}
