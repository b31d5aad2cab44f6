// The answers of the fake model as the Responses API streams them.
import type { ServerResponse } from 'node:http';
import type { Reply } from './obedience.ts';

const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

/** Writes a whole answer; `serial` makes its IDs unique. */
export function streamReply(response: ServerResponse, reply: Reply, serial: number): void {
  if (reply.kind === 'refuse') {
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'refused', type: 'invalid_request_error' } }));
    return;
  }
  const id = `resp_${serial}`;
  const item = outputItem(reply, serial);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  send('response.created', { response: { id } });
  send('response.output_item.added', { output_index: 0, item });
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', { response: { id, status: 'completed', output: [item], usage } });
  response.end();
}

function outputItem(reply: Exclude<Reply, { kind: 'refuse' }>, serial: number): object {
  if (reply.kind === 'say') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
    return { type: 'message', id: `msg_${serial}`, role: 'assistant', content };
  }
  const { name, namespace } = reply.tool;
  return {
    type: 'function_call',
    id: `fc_${serial}`,
    call_id: `call_${serial}`,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: reply.args,
  };
}
