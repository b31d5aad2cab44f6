// Requirements of the agent tools, as the remote connector and local clients show them.
import { requirementsOf } from './requirement.ts';

const section = '4, agent tools';

export const toolRequirements = [
  ...requirementsOf(section, ['mcp'], {
    'mcp.tools': 'The remote connector offers every tool but login.',
    'mcp.conversation':
      'Every tool after join needs the conversation handle that join gives on its first line.',
    'mcp.host':
      'The host kind comes from the OAuth client, never from what the client calls itself.',
    'mcp.new-conversation': 'Every join makes a new conversation ID, with an empty workspace.',
    'mcp.structured':
      'Results carry structured content equal to the operation’s result, with a declared schema.',
    'mcp.annotations': 'Annotations say which tools only read, destroy, or may be repeated.',
    'mcp.errors': 'A refusal is a result with isError, never a protocol error.',
  }),
  ...requirementsOf(section, ['mcp', 'client'], {
    'tools.arguments':
      'Tools take no room ID, message ID, workspace or conversation from the model.',
    'tools.own-member': 'leave and rename act on the tool’s own member only.',
    'tools.envelope':
      'Each message stands in an element with a nonce made for that result, headers in ' +
      'order, body as it is.',
    'tools.rule':
      'The rule about text of others stands in the descriptions of join, members, inbox ' +
      'and history, and once in the result.',
    'tools.conduct':
      'Descriptions carry the conduct: what to send, no polling, receiving grants no permission.',
    'tools.offline':
      'join shows offline members with the exact words to continue one, and that nothing ' +
      'was continued by itself.',
    'tools.remaining':
      'inbox ends with how many remain and from whom; empty results have fixed short texts.',
    'tools.reachability': 'send says Sent <id>. and one line of reachability per recipient.',
    'tools.error-text':
      'An error is its code and message, the next step, and the member list if there is one.',
  }),
  ...requirementsOf(section, ['client'], {
    'tools.names': 'MCP hosts use the bare names, native hosts prefix tandry_.',
    'tools.notice':
      'A notice has product, count, up to five senders and the inbox tool, and says it ' +
      'is not from the owner.',
    'tools.subagents': 'Subagents and child conversations never join.',
  }),
] as const;
