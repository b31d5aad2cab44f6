// Room links: LINK for the member that is told, CONNECTION for the socket, LINK of the account for
// revoking a device. Only the newest connection of a member is its link.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Link, TimeMs } from '../domain/room.ts';
import { refusedCondition } from './failures.ts';
import { type Connection, parseConnection, parseDeviceLink, parseLink } from './items.ts';
import { accountPartition, type Key, keys, ranges, roomPartition } from './keys.ts';
import type { Stay } from './positions.ts';
import { getItem, getItems, queryAll } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { updateItem } from './write.ts';

/** API Gateway ends a connection after two hours; its rows go soon after, whatever was missed. */
const rowLifeMs = 2 * 60 * 60_000 + 15 * 60_000;

const expiryOf = (connectedAt: TimeMs) => Math.ceil((connectedAt + rowLifeMs) / 1000);

/** Links by number; most members have none. */
export async function getLinks(
  table: Table,
  room: string,
  numbers: readonly number[],
): Promise<readonly Link[]> {
  const items = await getItems(
    table,
    numbers.map((no) => keys.link(room, no)),
  );
  return items.map(parseLink);
}

export async function listLinks(table: Table, room: string): Promise<readonly Link[]> {
  const items = await queryAll(table, { pk: roomPartition(room), ...ranges.links });
  return items.map(parseLink);
}

/** Whose socket a connection is; undefined once it ended or another one took its place. */
export async function getConnection(
  table: Table,
  connection: string,
): Promise<Connection | undefined> {
  const item = await getItem(table, keys.connection(connection));
  return item === undefined ? undefined : parseConnection(item);
}

/** Connections that were opened with one device's credential. */
export async function listDeviceLinks(
  table: Table,
  account: string,
  device: string,
): Promise<readonly string[]> {
  const items = await queryAll(table, {
    pk: accountPartition(account),
    ...ranges.deviceLinks(device),
  });
  return items.map((item) => parseDeviceLink(item).connection);
}

/** Notes a socket before it becomes a link, so that it can be found from every side. */
export async function putConnection(
  table: Table,
  id: string,
  connection: Omit<Connection, 'id'>,
): Promise<void> {
  const expiresAt = expiryOf(connection.connectedAt);
  const { account, device } = connection;
  await put(table, { ...keys.connection(id), ...connection, expiresAt });
  await put(table, { ...keys.deviceLink(account, device, id), connection: id, expiresAt });
}

/**
 * Makes a connection the link of its member, if none newer is. Gives the link it replaced, which is
 * then told; or `isNewest: false`, and it is this one that was superseded on its way.
 */
export async function putLink(
  table: Table,
  stay: Stay,
  link: Pick<Link, 'connection' | 'connectedAt' | 'wakeable' | 'busy' | 'seenAt'>,
): Promise<{ readonly isNewest: boolean; readonly replaced?: Link | undefined }> {
  const { room, no, epoch } = stay;
  const command = new PutCommand({
    TableName: table.name,
    Item: { ...keys.link(room, no), ...link, epoch, expiresAt: expiryOf(link.connectedAt) },
    // Of the same millisecond the IDs decide: else two would take turns, each told of the other.
    ConditionExpression:
      'attribute_not_exists(pk) OR connectedAt < :mine OR ' +
      '(connectedAt = :mine AND #connection <= :connection)',
    ExpressionAttributeNames: { '#connection': 'connection' },
    ExpressionAttributeValues: { ':mine': link.connectedAt, ':connection': link.connection },
    ReturnValues: 'ALL_OLD',
  });
  try {
    const { Attributes } = await table.client.send(command);
    const replaced = Attributes === undefined ? undefined : parseLink(Attributes);
    return { isNewest: true, replaced };
  } catch (error) {
    if (refusedCondition(error) === undefined) throw error;
    return { isNewest: false };
  }
}

/** What became of a state frame. */
export type StateOutcome = 'updated' | 'outdated' | 'no link' | 'superseded';

/**
 * Notes what a client last said of itself. Frames of one client may be handled out of order, so
 * only a newer request time counts; and only if the connection is still the member's link.
 */
export async function updateLinkState(
  table: Table,
  deadline: Deadline,
  stay: Pick<Stay, 'room' | 'no'>,
  state: Pick<Link, 'connection' | 'wakeable' | 'busy' | 'seenAt'>,
): Promise<StateOutcome> {
  const { connection, wakeable, busy, seenAt } = state;
  const outcome = await updateItem(
    table,
    deadline,
    keys.link(stay.room, stay.no),
    {
      set: { wakeable, seenAt, ...(busy !== undefined && { busy }) },
      ...(busy === undefined && { remove: ['busy'] }),
    },
    {
      expression: '#connection = :connection AND #seenAt <= :seenAt',
      names: { '#connection': 'connection' },
      values: { ':connection': connection, ':seenAt': seenAt },
    },
  );
  if ('item' in outcome) return 'updated';
  if (outcome.refused === undefined) return 'no link';
  return parseLink(outcome.refused).connection === connection ? 'outdated' : 'superseded';
}

/** Forgets a link if it is still this connection's; true if it was. */
export async function deleteLink(
  table: Table,
  room: string,
  no: number,
  connection: string,
): Promise<boolean> {
  return drop(table, keys.link(room, no), connection);
}

/** Forgets a socket. */
export async function deleteConnection(
  table: Table,
  { id, account, device }: Pick<Connection, 'id' | 'account' | 'device'>,
): Promise<void> {
  await drop(table, keys.connection(id));
  await drop(table, keys.deviceLink(account, device, id));
}

/** Forgets whose socket it is, but not whose device: it is told nothing more, yet can be ended. */
export async function detachConnection(table: Table, id: string): Promise<void> {
  await drop(table, keys.connection(id));
}

async function put(table: Table, item: Key & Record<string, unknown>): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
}

async function drop(table: Table, key: Key, connection?: string): Promise<boolean> {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: key,
        ...(connection !== undefined && {
          ConditionExpression: '#connection = :connection',
          ExpressionAttributeNames: { '#connection': 'connection' },
          ExpressionAttributeValues: { ':connection': connection },
        }),
      }),
    );
    return true;
  } catch (error) {
    if (refusedCondition(error) === undefined) throw error;
    return false;
  }
}
