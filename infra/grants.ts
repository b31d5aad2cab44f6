// What each function may do, in one place. Reading a stream, consuming a queue and writing to the
// own log group are granted where those are attached.
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/** Every operation of the protocol; no Scan, and nothing about the table itself. */
export function grantOperations(fn: IGrantable, table: TableV2): void {
  named('ReadHub', table.grants.actions(fn, ...read));
  named('ChangeHub', table.grants.actions(fn, ...change, 'dynamodb:PutItem'));
}

/** Removing a room: it makes nothing new, and may only send to its own queue. */
export function grantPurge(fn: IGrantable, table: TableV2, queue: IQueue): void {
  named('ReadRoom', table.grants.actions(fn, ...read));
  named('RemoveRoom', table.grants.actions(fn, ...change));
  named('HandOn', queue.grant(fn, 'sqs:SendMessage'));
}

const read = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
// A transaction is authorized by the actions of its parts.
const change = ['dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'];

/** A name keeps a statement apart from others on the same resource, so that each can be tested. */
function named(sid: string, grant: Grant): void {
  for (const statement of grant.principalStatements) statement.sid = sid;
}
