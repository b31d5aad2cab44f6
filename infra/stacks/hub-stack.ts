// The Hub: table, accounts, functions, and what is in front of them (design, section 1).
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { AuthEnv, EnvVars, HttpEnv, LinkEnv, McpEnv } from '../../functions/env.ts';
import type { HubConfig } from '../config.ts';
import { Accounts, signInOrigin } from '../constructs/accounts.ts';
import { Alarms } from '../constructs/alarms.ts';
import { FrontDoor } from '../constructs/front-door.ts';
import { generatedSecret } from '../constructs/generated-secret.ts';
import { OperationsApi } from '../constructs/http-api.ts';
import { HubFunction } from '../constructs/hub-function.ts';
import { HubTable } from '../constructs/hub-table.ts';
import { LinkApi } from '../constructs/link-api.ts';
import { Notify } from '../constructs/notify.ts';
import { Purge } from '../constructs/purge.ts';
import {
  grantConnections,
  grantLink,
  grantNotify,
  grantOperations,
  grantPurge,
} from '../grants.ts';

type Props = Readonly<{ config: HubConfig }>;

export class HubStack extends Stack {
  constructor(scope: Construct, id: string, { config }: Props) {
    super(scope, id, {
      description: 'A self-hosted Tandry Hub',
      terminationProtection: config.deletionProtection,
    });
    const table = new HubTable(this, 'Table', config);
    // The APIs come first and get their routes last: the distribution needs their addresses, the
    // sign-in that of the distribution, and the functions behind the routes all of these.
    const operations = new OperationsApi(this, 'Operations', { config });
    const links = new LinkApi(this, 'Links', { config });
    const connectionsEndpoint = links.stage.callbackUrl;
    const frontDoor = new FrontDoor(this, 'FrontDoor', { config, operations, links });
    const accounts = new Accounts(this, 'Accounts', {
      config,
      websiteOrigins: [frontDoor.url, ...config.websiteOrigins],
      hubUrl: frontDoor.url,
    });
    const memberEnvironment = {
      TABLE_NAME: table.tableName,
      COGNITO_ISSUER: accounts.issuer,
      COGNITO_JWKS_URI: accounts.jwksUri,
      COGNITO_WEBSITE_CLIENT_ID: accounts.websiteClient.userPoolClientId,
      ORIGIN_SECRET: frontDoor.originSecret,
      CONNECTIONS_ENDPOINT: connectionsEndpoint,
      ...config.policy,
    } satisfies EnvVars<typeof HttpEnv> & EnvVars<typeof LinkEnv>;

    const http = new HubFunction(this, 'Http', {
      config,
      description: 'Runs the operations of the protocol',
      entry: 'http.lambda.ts',
      environment: memberEnvironment,
      memoryMiB: 1_024,
      timeout: Duration.seconds(15),
    });
    grantOperations(http, table);
    operations.addRoutes('Operations', http);

    const auth = new HubFunction(this, 'Auth', {
      config,
      description: 'Signs in machines and web chats: authorization server, pages, logins',
      entry: 'auth.lambda.ts',
      environment: {
        ...memberEnvironment,
        HUB_URL: frontDoor.url,
        COGNITO_LOGIN_URL: signInOrigin(config),
        COGNITO_AUTH_CLIENT_ID: accounts.authClient.userPoolClientId,
        AUTH_SECRET: generatedSecret(this, 'AuthSecret', {
          description: 'Seals cookies and records of the authorization server',
          removalPolicy: config.removalPolicy,
        }),
      } satisfies EnvVars<typeof AuthEnv>,
      memoryMiB: 1_024,
      timeout: Duration.seconds(15),
    });
    grantOperations(auth, table);
    operations.addRoutes('Auth', auth);

    const mcp = new HubFunction(this, 'Mcp', {
      config,
      description: 'Answers web chats: the tools as a remote MCP server',
      entry: 'mcp.lambda.ts',
      environment: {
        TABLE_NAME: table.tableName,
        ORIGIN_SECRET: frontDoor.originSecret,
        HUB_URL: frontDoor.url,
        ...config.policy,
      } satisfies EnvVars<typeof McpEnv>,
      memoryMiB: 1_024,
      timeout: Duration.seconds(15),
    });
    grantOperations(mcp, table);
    operations.addRoutes('Mcp', mcp);

    const link = new HubFunction(this, 'Link', {
      config,
      description: 'Opens and closes room links, and notes what their clients say of themselves',
      entry: 'link.lambda.ts',
      environment: memberEnvironment,
      memoryMiB: 1_024,
      timeout: Duration.seconds(10),
    });
    grantLink(link, table);
    links.addLinks(link);

    const notify = new Notify(this, 'Notify', { config, table, connectionsEndpoint });
    grantNotify(notify.fn, table, notify.delayQueue);

    const purge = new Purge(this, 'Purge', { config, table, connectionsEndpoint });
    grantPurge(purge.fn, table, purge.queue);

    grantConnections([http, auth, link, notify.fn, purge.fn], links);

    const { api } = operations;
    new Alarms(this, 'Alarms', {
      ...{ config, api, http, auth, mcp, links, link, notify, table, purge },
    });

    const outputs = {
      HubUrl: frontDoor.url,
      // What the DNS record of a domain of one's own has to point to.
      DistributionDomain: frontDoor.distribution.distributionDomainName,
      ApiUrl: api.apiEndpoint,
      UserPoolId: accounts.userPool.userPoolId,
      WebsiteClientId: accounts.websiteClient.userPoolClientId,
      TableName: table.tableName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
