// The rules by which the fake model answers: it does what the newest texts plainly say.
import type { ModelRequest, OfferedTool } from './model-request.ts';

export type Reply =
  | { kind: 'call'; tool: OfferedTool; args: string }
  | { kind: 'say'; text: string }
  /** The provider refuses the request. */
  | { kind: 'refuse'; status: number };

export const done: Reply = { kind: 'say', text: 'Done.' };

/** How a notice of Tandry reads, whatever a host wraps around it. */
const notice = /Tandry: \d+ unread message/g;

/** Words that make the model call a tool; they may stand in the arguments of another such call. */
export function order(tool: string, args: object): string {
  const json = JSON.stringify(args);
  return `[[call ${tool} ${json.replaceAll('[', '\\u005b').replaceAll(']', '\\u005d')}]]`;
}

/** How many notices a text holds. */
export function countNotices(text: string): number {
  return text.match(notice)?.length ?? 0;
}

export function obey(
  request: ModelRequest,
  { followsNotices }: { followsNotices: boolean },
): Reply {
  const { news } = request;
  const [, ordered, args = '{}'] = /\[\[call (\S+) ([^[\]]*)\]\]/.exec(news) ?? [];
  if (ordered !== undefined) return call(request, ordered, args);
  return followsNotices && countNotices(news) > 0 ? call(request, 'inbox', '{}') : done;
}

function call({ tools }: ModelRequest, name: string, args: string): Reply {
  const tool = tools.find((offered) => offered.name === name);
  return tool === undefined
    ? { kind: 'say', text: `There is no tool ${name}.` }
    : { kind: 'call', tool, args };
}
