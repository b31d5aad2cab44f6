// The requests this store makes, parsed strictly: a parameter the model does not know is refused.
import * as z from 'zod';

const Names = z.record(z.string(), z.string()).optional();
const Values = z.record(z.string(), z.unknown()).optional();
const Key = z.strictObject({ pk: z.string(), sk: z.string() });
export type Key = z.infer<typeof Key>;

const Item = z
  .looseObject({ pk: z.string(), sk: z.string() })
  .transform((item) =>
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)),
  );

const condition = {
  TableName: z.string(),
  ConditionExpression: z.string().optional(),
  ExpressionAttributeNames: Names,
  ExpressionAttributeValues: Values,
  ReturnValuesOnConditionCheckFailure: z.enum(['ALL_OLD', 'NONE']).optional(),
};

const PutMember = z.strictObject({ ...condition, Item });
const UpdateMember = z.strictObject({ ...condition, Key, UpdateExpression: z.string() });
const DeleteMember = z.strictObject({ ...condition, Key });

export const Get = z.strictObject({
  TableName: z.string(),
  Key,
  ConsistentRead: z.literal(true),
});
export const BatchGet = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.strictObject({ Keys: z.array(Key).min(1).max(100), ConsistentRead: z.literal(true) }),
  ),
});
export const Query = z.strictObject({
  TableName: z.string(),
  KeyConditionExpression: z.literal('pk = :pk AND sk BETWEEN :low AND :high'),
  ExpressionAttributeValues: z.strictObject({
    ':pk': z.string(),
    ':low': z.string(),
    ':high': z.string(),
  }),
  ConsistentRead: z.literal(true),
  ScanIndexForward: z.boolean(),
  Limit: z.int().positive().optional(),
  ExclusiveStartKey: Key.optional(),
});
export const Put = PutMember;
export const Update = UpdateMember.extend({ ReturnValues: z.enum(['ALL_NEW', 'NONE']).optional() });
export const Delete = DeleteMember;
export const TransactWrite = z.strictObject({
  TransactItems: z
    .array(
      z.strictObject({
        Put: PutMember.optional(),
        Update: UpdateMember.optional(),
        Delete: DeleteMember.optional(),
        ConditionCheck: DeleteMember.optional(),
      }),
    )
    .min(1)
    .max(100),
  ClientRequestToken: z.string().optional(),
});

export type Query = z.output<typeof Query>;
export type TransactWrite = z.output<typeof TransactWrite>;
export type TransactionMember = TransactWrite['TransactItems'][number];
/** A conditional write of one item, alone or in a transaction. */
export type SingleWrite = TransactionMember;
