// The Hub: table, accounts, functions, and what is in front of them (design, section 1).
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import { Accounts } from '../constructs/accounts.ts';
import { Alarms } from '../constructs/alarms.ts';
import { calledFunctions } from '../constructs/called-functions.ts';
import { FrontDoor } from '../constructs/front-door.ts';
import { OperationsApi } from '../constructs/http-api.ts';
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
    const { http, auth, mcp, link } = calledFunctions(this, {
      ...{ config, table, frontDoor, accounts, connectionsEndpoint },
    });
    grantOperations(http, table);
    grantOperations(auth, table);
    grantOperations(mcp, table);
    grantLink(link, table);
    operations.addRoutes('Operations', http);
    operations.addRoutes('Auth', auth);
    operations.addRoutes('Mcp', mcp);
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
