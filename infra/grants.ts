// What each function may do, in one place. Reading a stream, consuming a queue and writing to the
// own log group are granted where those are attached.
import { Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import * as z from 'zod';
import type { HubFunction } from './constructs/hub-function.ts';
import type { LinkApi } from './constructs/link-api.ts';

/**
 * Every operation of the protocol; no Scan, and nothing about the table itself. A transaction is
 * authorized by the actions of its parts.
 */
export function grantOperations(fn: IGrantable, { grants }: TableV2): void {
  named('ReadHub', grants.actions(fn, ...items('GetItem', 'BatchGetItem', 'Query')));
  named(
    'ChangeHub',
    grants.actions(fn, ...items('PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem')),
  );
}

/** Removing a room item by item: it makes and changes nothing, and sends to its own queue only. */
export function grantPurge(fn: IGrantable, { grants }: TableV2, queue: IQueue): void {
  named('ReadRoom', grants.actions(fn, ...items('GetItem', 'Query')));
  named('RemoveRoom', grants.actions(fn, ...items('DeleteItem')));
  named('HandOn', queue.grant(fn, 'sqs:SendMessage'));
}

/**
 * Opening and closing links, and noting what their clients say of themselves: by key alone, no
 * range of anything.
 */
export function grantLink(fn: IGrantable, { grants }: TableV2): void {
  named('ReadHub', grants.actions(fn, ...items('GetItem', 'BatchGetItem')));
  named('ChangeLinks', grants.actions(fn, ...items('PutItem', 'UpdateItem', 'DeleteItem')));
}

/** Telling links of mail: it changes nothing of a room but links that turned out to be gone. */
export function grantNotify(fn: IGrantable, { grants }: TableV2, delayQueue: IQueue): void {
  named('ReadRoom', grants.actions(fn, ...items('GetItem', 'BatchGetItem', 'Query')));
  named('ForgetLink', grants.actions(fn, ...items('UpdateItem', 'DeleteItem')));
  named('Delay', delayQueue.grant(fn, 'sqs:SendMessage'));
}

/** Posting to links and closing them, on one stage of one API. */
export function grantConnections(fns: readonly HubFunction[], { api, stage }: LinkApi): void {
  const stack = Stack.of(api);
  // The only wildcards in any grant: a connection has no ID before it is opened.
  const paths = ['POST', 'DELETE'].map((verb) => `${stage.stageName}/${verb}/@connections/*`);
  const resourceArns = paths.map((path) =>
    stack.formatArn({ service: 'execute-api', resource: api.apiId, resourceName: path }),
  );
  const actions = ['execute-api:ManageConnections'];
  for (const grantee of fns) {
    named('Connections', Grant.addToPrincipal({ grantee, actions, resourceArns }));
  }
  const { Ref } = z.object({ Ref: z.string() }).parse(stack.resolve(api.apiId));
  for (const path of paths) {
    const arn = `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${Ref}>/${path}`;
    Validations.of(stack).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${arn}]`,
      reason: 'Whoever tells or ends links must reach all of this one stage, and does nothing else',
    });
  }
}

function items(...names: string[]): string[] {
  return names.map((name) => `dynamodb:${name}`);
}

/** A name keeps a statement apart from others on the same resource, so that each can be tested. */
function named(sid: string, grant: Grant): void {
  for (const statement of grant.principalStatements) statement.sid = sid;
}
