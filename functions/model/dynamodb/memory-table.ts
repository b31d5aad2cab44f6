// One table in memory whose transactions can be seen half applied, as DynamoDB's can.
//
// A transaction is decided at one instant: its conditions hold and its items are locked, or it is
// refused. Its items then become visible one by one, in any order, each free again as it does. Only
// once all are there may the caller get the answer.
import { holds, type Item, refuseUnused, updated } from './expressions.ts';
import {
  cancelled,
  conditionFailed,
  conflict,
  inProgress,
  type Reason,
  tokenMismatch,
  ValidationException,
} from './failures.ts';
import type { Key, Query, SingleWrite, TransactWrite } from './requests.ts';

/** One item as a write changed it. */
export interface Change {
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** What happened in the table at one instant: a decided transaction, a plain write, an expiry. */
export interface Commit {
  readonly by: string;
  readonly changes: readonly Change[];
}

/** A decided transaction: each step makes one item visible. */
export interface Decided {
  readonly steps: readonly (() => void)[];
  /** Ends it; from here on its token answers repeats. */
  readonly finish: () => void;
}

export interface MemoryTable {
  /** Everything that was ever decided, in order: the truth that checks replay. */
  readonly commits: readonly Commit[];
  get(key: Key): Item | undefined;
  query(query: Query): { Items: Item[]; LastEvaluatedKey?: Key };
  /** A plain conditional write; gives the item as it is afterwards. */
  write(by: string, write: SingleWrite): Item | undefined;
  /** Decides a transaction, or throws its refusal; undefined if its token was decided before. */
  decide(by: string, transaction: TransactWrite): Decided | undefined;
  /** Deletes what expired by `nowS` and `isSwept` picks; an item in a transaction stays. */
  expire(nowS: number, isSwept: () => boolean): void;
  items(): Item[];
}

/** Key, condition and effect of a write, whatever its kind. */
interface Parsed {
  readonly key: Key;
  readonly id: string;
  readonly isAllowed: (before: Item | undefined) => boolean;
  readonly wantsOld: boolean;
  /** False for a condition check. */
  readonly changes: boolean;
  readonly after: (before: Item | undefined) => Item | undefined;
}

const idOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
const keyOf = (item: Item): Key => ({ pk: String(item['pk']), sk: String(item['sk']) });

export function createMemoryTable(copyOf?: MemoryTable): MemoryTable {
  const partitions = new Map<string, Map<string, Item>>();
  const locks = new Set<string>();
  const tokens = new Map<string, { isDone: boolean; request: string }>();
  const commits: Commit[] = [...(copyOf?.commits ?? [])];

  const get = ({ pk, sk }: Key) => partitions.get(pk)?.get(sk);

  function set({ pk, sk }: Key, item: Item | undefined): void {
    const partition = partitions.get(pk) ?? new Map<string, Item>();
    partitions.set(pk, partition);
    if (item === undefined) partition.delete(sk);
    else partition.set(sk, Object.freeze(item));
  }

  function query({ ExpressionAttributeValues: range, ...query }: Query) {
    if (range[':low'] > range[':high']) throw new ValidationException('BETWEEN from high to low');
    const start = query.ExclusiveStartKey?.sk;
    const isAscending = query.ScanIndexForward;
    const found = [...(partitions.get(range[':pk']) ?? [])]
      .filter(([sk]) => sk >= range[':low'] && sk <= range[':high'])
      .filter(([sk]) => start === undefined || (isAscending ? sk > start : sk < start))
      .sort(([a], [b]) => (a < b === isAscending ? -1 : 1))
      .map(([, item]) => item)
      .slice(0, query.Limit);
    const last = found.at(-1);
    const isCut = last !== undefined && found.length === query.Limit;
    return { Items: found, ...(isCut && { LastEvaluatedKey: keyOf(last) }) };
  }

  function write(by: string, request: SingleWrite): Item | undefined {
    const { key, id, isAllowed, wantsOld, after } = parse(request);
    if (locks.has(id)) throw conflict();
    const before = get(key);
    if (!isAllowed(before)) throw conditionFailed(wantsOld ? before : undefined);
    const change = { key, before, after: after(before) };
    commits.push({ by, changes: [change] });
    set(key, change.after);
    return change.after;
  }

  function decide(by: string, request: TransactWrite): Decided | undefined {
    const token = request.ClientRequestToken;
    if (token !== undefined && isKnown(token, request)) return undefined;
    const members = request.TransactItems.map(parse);
    if (new Set(members.map(({ id }) => id)).size < members.length) {
      throw new ValidationException('two writes of one item');
    }
    const reasons = members.map((member) => reasonAgainst(member));
    if (reasons.some(({ code }) => code !== 'None')) throw cancelled(reasons);
    const changes = members
      .filter((member) => member.changes)
      .map(({ key, after }) => ({ key, before: get(key), after: after(get(key)) }));
    commits.push({ by, changes });
    for (const { key } of changes) locks.add(idOf(key));
    if (token !== undefined) tokens.set(token, { isDone: false, request: textOf(request) });
    return {
      steps: changes.map(({ key, after }) => () => {
        set(key, after);
        locks.delete(idOf(key));
      }),
      finish: () => {
        if (token !== undefined) tokens.set(token, { isDone: true, request: textOf(request) });
      },
    };
  }

  function reasonAgainst({ id, key, isAllowed, wantsOld }: Parsed): Reason {
    if (locks.has(id)) return { code: 'TransactionConflict' };
    const item = get(key);
    if (isAllowed(item)) return { code: 'None' };
    return { code: 'ConditionalCheckFailed', item: wantsOld ? item : undefined };
  }

  function isKnown(token: string, request: TransactWrite): boolean {
    const known = tokens.get(token);
    if (known === undefined) return false;
    if (known.request !== textOf(request)) throw tokenMismatch();
    if (!known.isDone) throw inProgress();
    return true;
  }

  function expire(nowS: number, isSwept: () => boolean): void {
    const changes = items()
      .filter(({ expiresAt }) => typeof expiresAt === 'number' && expiresAt < nowS)
      .filter((item) => !locks.has(idOf(keyOf(item))) && isSwept())
      .map((item): Change => ({ key: keyOf(item), before: item, after: undefined }));
    for (const { key } of changes) set(key, undefined);
    if (changes.length > 0) commits.push({ by: expiry, changes });
  }

  const items = () => [...partitions.values()].flatMap((partition) => [...partition.values()]);

  for (const item of copyOf?.items() ?? []) set(keyOf(item), item);

  return { commits, get, query, write, decide, expire, items };
}

/** Who deletes expired items. */
export const expiry = 'expiry';

function textOf(request: TransactWrite): string {
  return JSON.stringify(request, (_key, value) => (value instanceof Set ? [...value] : value));
}

function parse({ Put, Update, Delete, ConditionCheck }: SingleWrite): Parsed {
  const request = Put ?? Update ?? Delete ?? ConditionCheck;
  if (request === undefined) throw new ValidationException('an empty member');
  const placeholders = {
    names: request.ExpressionAttributeNames,
    values: request.ExpressionAttributeValues,
  };
  const condition = request.ConditionExpression;
  refuseUnused([condition, Update?.UpdateExpression], placeholders);
  const key =
    Put === undefined ? keyOfRequest(Update ?? Delete ?? ConditionCheck) : keyOf(Put.Item);
  return {
    key,
    id: idOf(key),
    isAllowed: (before) => condition === undefined || holds(condition, before, placeholders),
    wantsOld: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    changes: ConditionCheck === undefined,
    after: (before) => {
      if (Put !== undefined) return Put.Item;
      if (Update === undefined) return undefined;
      return updated(Update.UpdateExpression, before ?? key, placeholders);
    },
  };
}

function keyOfRequest(request: { readonly Key: Key } | undefined): Key {
  if (request === undefined) throw new ValidationException('a write without a key');
  return request.Key;
}
