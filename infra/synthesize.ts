// Synthesizes the app inside the calling process, without the `cdk` command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetStaging } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import * as z from 'zod';
import { hubApp } from './hub-app.ts';

const CdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

/** The context of `cdk.json`, which the command line would have passed. */
export function projectContext(): Record<string, unknown> {
  const file = join(import.meta.dirname, '..', 'cdk.json');
  return CdkJson.parse(JSON.parse(readFileSync(file, 'utf8'))).context;
}

/**
 * Writes templates and bundled functions to `outdir` and returns the assembly; needs neither
 * credentials nor a network. CloudFormation's own rules are left to `npm run synth` and the tests:
 * they take longer than all the rest.
 * @param context settings on top of those in `cdk.json`, e.g. `{ 'tandry:stage': 'dev' }`
 */
export function synthesize(outdir: string, context: Record<string, unknown> = {}): CloudAssembly {
  // Bundles are remembered by folder and options: after an edit the old one would come again.
  AssetStaging.clearAssetHashCache();
  // A template without asset metadata does not say which folder holds a function's code.
  const assetMetadata = { 'aws:cdk:enable-asset-metadata': true };
  const merged = { ...projectContext(), ...assetMetadata, ...context };
  return hubApp({ outdir, context: merged, builtinCloudFormationValidation: false }).app.synth();
}
