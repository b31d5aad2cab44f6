// From a tool's arguments to its operation's request: what the model never supplies is added here,
// the same way for the bridge and the remote connector (protocol, section 4).
import type { IdPrefix } from './ids.ts';
import type { Workspace } from './nouns.ts';
import type { OperationRequest } from './operations/index.ts';
import type { OperationTool, ToolInput } from './tools.ts';

/** What surrounds a tool call. */
export interface ToolSurroundings {
  /** Called once per tool call, so that repeats of the request keep its ID. */
  newId: (prefix: IdPrefix) => string;
  workspace: Workspace;
  /** The room this conversation is in; empty if it is in none, which no operation accepts. */
  room: string;
}

const requestOf: {
  readonly [Name in OperationTool]: (
    args: ToolInput<Name>,
    surroundings: ToolSurroundings,
  ) => OperationRequest<Name>;
} = {
  status: () => ({}),
  new_room: (args, { newId }) => ({ ...args, id: newId('r_') }),
  update_room: (args, { room }) => ({ ...args, room }),
  join: ({ room: code, ...rest }, { workspace }) => ({ ...rest, code, workspace }),
  leave: () => ({}),
  members: () => ({}),
  rename: (args) => args,
  send: (args, { newId }) => ({ ...args, id: newId('m_') }),
  inbox: () => ({}),
  history: (args) => args,
};

/** The request that a tool call with these arguments stands for. */
export function toolRequest<Name extends OperationTool>(
  name: Name,
  args: ToolInput<Name>,
  surroundings: ToolSurroundings,
): OperationRequest<Name> {
  return requestOf[name](args, surroundings);
}
