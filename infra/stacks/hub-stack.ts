// The Hub: table, accounts, functions and the API in front of them (design, section 1).
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EnvVars, HttpEnv } from '../../functions/env.ts';
import type { HubConfig } from '../config.ts';
import { Accounts } from '../constructs/accounts.ts';
import { Alarms } from '../constructs/alarms.ts';
import { OperationsApi } from '../constructs/http-api.ts';
import { HubFunction } from '../constructs/hub-function.ts';
import { HubTable } from '../constructs/hub-table.ts';
import { Purge } from '../constructs/purge.ts';
import { grantOperations, grantPurge } from '../grants.ts';

type Props = Readonly<{ config: HubConfig }>;

export class HubStack extends Stack {
  constructor(scope: Construct, id: string, { config }: Props) {
    super(scope, id, {
      description: 'A self-hosted Tandry Hub',
      terminationProtection: config.deletionProtection,
    });
    const table = new HubTable(this, 'Table', config);
    const accounts = new Accounts(this, 'Accounts', { config });

    const http = new HubFunction(this, 'Http', {
      config,
      description: 'Runs the operations of the protocol',
      entry: 'http.lambda.ts',
      environment: {
        TABLE_NAME: table.tableName,
        COGNITO_ISSUER: accounts.issuer,
        COGNITO_JWKS_URI: accounts.jwksUri,
        COGNITO_WEBSITE_CLIENT_ID: accounts.websiteClient.userPoolClientId,
        ...config.policy,
      } satisfies EnvVars<typeof HttpEnv>,
      memoryMiB: 1_024,
      timeout: Duration.seconds(15),
    });
    grantOperations(http, table);

    const purge = new Purge(this, 'Purge', { config, table });
    grantPurge(purge.fn, table, purge.queue);

    const { api } = new OperationsApi(this, 'Operations', { config, operations: http });
    new Alarms(this, 'Alarms', { config, api, http, table, purge });

    new CfnOutput(this, 'ApiUrl', { value: api.apiEndpoint });
    new CfnOutput(this, 'UserPoolId', { value: accounts.userPool.userPoolId });
    new CfnOutput(this, 'WebsiteClientId', { value: accounts.websiteClient.userPoolClientId });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}
