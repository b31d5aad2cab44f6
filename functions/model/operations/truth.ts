// The room as it lies in the table: the log since a tick, and the stays it names.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Cursor, LogEntry, Member } from '../../domain/room.ts';
import { parseCursor, parseLogEntry, parseMember } from '../../store/items.ts';
import { lastTick, ranges, roomPartition } from '../../store/keys.ts';
import type { Table } from '../../store/table-port.ts';

export interface Truth {
  readonly entries: readonly LogEntry[];
  readonly members: ReadonlyMap<number, Member>;
  readonly cursors: ReadonlyMap<number, Cursor>;
}

/** Reads what was committed after `tick`, when nothing is under way. Members follow the log. */
export async function readTruth(table: Table, room: string, tick: number): Promise<Truth> {
  const { low } = ranges.log(tick + 1, lastTick);
  const [logAndMembers, cursors] = await Promise.all([
    items(table, room, { low, high: ranges.members.high }),
    items(table, room, ranges.cursors),
  ]);
  const isMember = ({ sk }: Record<string, unknown>) => String(sk) >= ranges.members.low;
  const members = logAndMembers.filter(isMember).map(parseMember);
  return {
    entries: logAndMembers.filter((item) => !isMember(item)).map(parseLogEntry),
    members: new Map(members.map((member) => [member.no, member])),
    cursors: new Map(cursors.map(parseCursor).map((cursor) => [cursor.no, cursor])),
  };
}

/** Faults are for the Hub: this asks until it is told. */
async function items(table: Table, room: string, range: { low: string; high: string }) {
  for (;;) {
    try {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
          ExpressionAttributeValues: {
            ':pk': roomPartition(room),
            ':low': range.low,
            ':high': range.high,
          },
          ConsistentRead: true,
        }),
      );
      return Items;
    } catch {
      await table.sleep(5);
    }
  }
}
