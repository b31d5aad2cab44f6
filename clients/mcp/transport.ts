// Standard input and output as an MCP transport that knows when an answer has left this process.
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

export class ConfirmingTransport extends StdioServerTransport {
  readonly #output: Writable;
  readonly #closed: () => void;
  readonly #written = new Map<RequestId, () => void>();

  /** `closed` is called when the host has closed its end, or the connection broke. */
  constructor(input: Readable, output: Writable, closed: () => void) {
    super(input, output);
    this.#output = output;
    this.#closed = closed;
  }

  /** Calls `action` once the result of that request is written; a cancelled one never is. */
  whenWritten(request: RequestId, action: () => void): void {
    this.#written.set(request, action);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    const id = 'id' in message && !('method' in message) ? message.id : undefined;
    const action = id === undefined ? undefined : this.#written.get(id);
    if (id === undefined || action === undefined) return;
    this.#written.delete(id);
    // What the stream has accepted may still be in memory; an empty write comes after all of it.
    this.#output.write('', (error) => {
      if (!error && 'result' in message) action();
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#written.clear();
    this.#closed();
  }
}
