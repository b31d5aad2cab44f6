// The CDK app as a value, so that the command line, the local stack and tests build the same one.
import { App, type AppProps } from 'aws-cdk-lib';
import { readConfig } from './config.ts';
import { HubStack } from './stacks/hub-stack.ts';

/**
 * Builds the construct tree; nothing is written before `synth()`.
 * @throws Error that names a wrong or unknown setting.
 */
export function hubApp(props: AppProps = {}): { app: App; hub: HubStack } {
  const app = new App({ analyticsReporting: false, ...props });
  const config = readConfig(app.node.getAllContext());
  const hub = new HubStack(app, `TandryHub-${config.stage}`, { config });
  return { app, hub };
}
