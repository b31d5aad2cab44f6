// The functions that people, agents and web chats wait for: what each is told, and how long it has.
import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { AuthEnv, EnvVars, HttpEnv, LinkEnv, McpEnv } from '../../functions/env.ts';
import type { HubConfig } from '../config.ts';
import { type Accounts, signInOrigin } from './accounts.ts';
import type { FrontDoor } from './front-door.ts';
import { generatedSecret } from './generated-secret.ts';
import { HubFunction, type HubFunctionProps } from './hub-function.ts';
import type { HubTable } from './hub-table.ts';

type Props = Readonly<{
  config: HubConfig;
  table: HubTable;
  frontDoor: FrontDoor;
  accounts: Accounts;
  connectionsEndpoint: string;
}>;

/** Makes them without any right or route. */
export function calledFunctions(scope: Construct, props: Props) {
  const { config, table, frontDoor, accounts } = props;
  const shared = {
    TABLE_NAME: table.tableName,
    ORIGIN_SECRET: frontDoor.originSecret,
    ...config.policy,
  };
  const ofMembers = {
    ...shared,
    COGNITO_ISSUER: accounts.issuer,
    COGNITO_JWKS_URI: accounts.jwksUri,
    COGNITO_WEBSITE_CLIENT_ID: accounts.websiteClient.userPoolClientId,
    CONNECTIONS_ENDPOINT: props.connectionsEndpoint,
  } satisfies EnvVars<typeof HttpEnv> & EnvVars<typeof LinkEnv>;
  const address = { HUB_URL: frontDoor.url };
  const make = (id: string, own: Omit<HubFunctionProps, 'config' | 'memoryMiB'>) =>
    new HubFunction(scope, id, { config, memoryMiB: 1_024, ...own });

  return {
    http: make('Http', {
      description: 'Runs the operations of the protocol',
      entry: 'http.lambda.ts',
      environment: ofMembers,
      timeout: Duration.seconds(15),
    }),
    auth: make('Auth', {
      description: 'Signs in machines and web chats: authorization server, pages, logins',
      entry: 'auth.lambda.ts',
      environment: {
        ...ofMembers,
        ...address,
        COGNITO_LOGIN_URL: signInOrigin(config),
        COGNITO_AUTH_CLIENT_ID: accounts.authClient.userPoolClientId,
        AUTH_SECRET: generatedSecret(scope, 'AuthSecret', {
          description: 'Seals cookies and records of the authorization server',
          removalPolicy: config.removalPolicy,
        }),
        ...(config.clientRedirectUris.length > 0 && {
          CLIENT_REDIRECT_URIS: config.clientRedirectUris.join(' '),
        }),
      } satisfies EnvVars<typeof AuthEnv>,
      timeout: Duration.seconds(15),
    }),
    mcp: make('Mcp', {
      description: 'Answers web chats: the tools as a remote MCP server',
      entry: 'mcp.lambda.ts',
      environment: { ...shared, ...address } satisfies EnvVars<typeof McpEnv>,
      timeout: Duration.seconds(15),
    }),
    link: make('Link', {
      description: 'Opens and closes room links, and notes what their clients say of themselves',
      entry: 'link.lambda.ts',
      environment: ofMembers,
      timeout: Duration.seconds(10),
    }),
  };
}
