// Bundles one function's entry point into the file that Lambda loads. In process with esbuild,
// because `NodejsFunction` starts npx for every function: half a second each.
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const functionsFolder = join(import.meta.dirname, '..', 'functions');
/**
 * oidc-provider finds its records and lifetimes by the names of its classes; all others load
 * faster.
 */
const entriesWithNames: ReadonlySet<string> = new Set(['auth.lambda.ts']);
const credentials = join(import.meta.dirname, 'lambda-credentials.ts');

/**
 * The code of a function as one minified CommonJS file `index.js` without a source map.
 * @param entry file under `functions/` that exports `handler`
 */
export function bundledCode(entry: string): Code {
  return Code.fromAsset(functionsFolder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled nor run, as `tryBundle` succeeds or throws. But CDK bundles once per folder
      // and options, and does not look into `tryBundle`: the command tells the functions apart.
      image: DockerImage.fromRegistry('none'),
      command: [entry],
      local: {
        tryBundle(outputFolder) {
          bundle(join(functionsFolder, entry), join(outputFolder, 'index.js'));
          return true;
        },
      },
    },
  });
}

/** Bundles the entry point at a path into a file; by itself for what measures bundles. */
export function bundle(entry: string, outfile: string): void {
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    keepNames: entriesWithNames.has(basename(entry)),
    platform: 'node',
    target: 'node24',
    // Loads faster than ESM, and the SDK is ours: the runtime's is older and another one to load.
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': credentials },
    logLevel: 'warning',
  });
}
