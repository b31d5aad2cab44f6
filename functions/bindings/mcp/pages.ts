// How much one result shows. Hosts of MCP put about 25,000 tokens of a result before their model at
// most, and everything stands in it twice: as text and as structured content.
import type { MemberView } from '../../../protocol/nouns.ts';
import type { OperationResult } from '../../../protocol/operations/index.ts';
import { utf8Bytes } from '../../../protocol/text.ts';
import type { OperationTool } from '../../../protocol/tools.ts';
import type { Hub } from '../../operations/hub.ts';

const page = { messages: 20, bodyBytes: 16 * 1024, recipients: 200 };

/** Well under the protocol's own: a message that is larger by itself comes alone and whole. */
export const connectorPages: Hub['policy']['pages'] = {
  inbox: page,
  history: page,
  // The member list comes with it.
  join: { messages: 10, bodyBytes: 8 * 1024, recipients: 100 },
};

/** Of all texts of a list together, which somebody else may have made as long as they may be. */
const listedBytes = 8 * 1024;

const fitOf: {
  readonly [Name in OperationTool]?: (result: OperationResult<Name>) => OperationResult<Name>;
} = {
  join: cutIntros,
  members: cutIntros,
  status: (result) => ({ ...result, rooms: cutEach(result.rooms, 'description') }),
};

/** A result cut to size where it lists: a member's intro stands whole in the history. */
export function fitResult<Name extends OperationTool>(
  name: Name,
  result: OperationResult<Name>,
): OperationResult<Name> {
  return fitOf[name]?.(result) ?? result;
}

function cutIntros<Result extends { members: MemberView[] }>(result: Result): Result {
  return { ...result, members: cutEach(result.members, 'intro') };
}

/** The items with that text of theirs cut to an equal share, if they are too long together. */
function cutEach<Field extends string, Item extends Readonly<Record<Field, string>>>(
  items: readonly Item[],
  field: Field,
): Item[] {
  const bytes = items.reduce((sum, item) => sum + utf8Bytes(item[field]), 0);
  if (bytes <= listedBytes) return [...items];
  const share = Math.floor(listedBytes / items.length);
  return items.map((item) => ({ ...item, [field]: cut(item[field], share) }));
}

function cut(text: string, bytes: number): string {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytes) return text;
  // As part of a stream, the decoder keeps back a character that is not whole.
  return `${new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true })}…`;
}
