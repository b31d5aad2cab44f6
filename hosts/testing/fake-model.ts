// A model that runs here: it speaks the Responses API as Codex uses it, answers by rules a test can
// see, and records everything it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { type Item, ModelRequest } from './model-request.ts';
import { obey, type Reply } from './obedience.ts';
import { streamReply } from './responses.ts';

/** A request that waits for its answer. */
export interface Held {
  /** Resolves when the request has come. */
  arrived: Promise<ModelRequest>;
  /** Lets it be answered: by the usual rules, or like this. */
  release: (reply?: Reply) => void;
}

interface Hold {
  matches: (request: ModelRequest) => boolean;
  arrive: (request: ModelRequest) => void;
  released: Promise<Reply | undefined>;
}

export class FakeModel {
  /** Whether the agent calls the inbox when a notice says that mail waits. */
  followsNotices = true;
  readonly requests: ModelRequest[] = [];
  readonly #holds: Hold[] = [];
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  static async start(): Promise<FakeModel> {
    const model = new FakeModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** What a host is given as the address of its provider. */
  get baseUrl(): string {
    const address: AddressInfo | string | null = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return `http://127.0.0.1:${port}/v1`;
  }

  /** What the model was sent for one thread. */
  of(thread: string): ModelRequest[] {
    return this.requests.filter((request) => request.thread === thread);
  }

  /** The whole transcript of a thread, as it was last sent. */
  transcript(thread: string): readonly Item[] {
    return this.of(thread).at(-1)?.items ?? [];
  }

  /** Holds the answer to the next request that matches. */
  hold(matches: (request: ModelRequest) => boolean): Held {
    const arrival = Promise.withResolvers<ModelRequest>();
    const released = Promise.withResolvers<Reply | undefined>();
    this.#holds.push({ matches, arrive: arrival.resolve, released: released.promise });
    return { arrived: arrival.promise, release: released.resolve };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.method === 'POST' && request.url?.endsWith('/responses')) {
      const asked = ModelRequest.from(request.headers, body);
      this.requests.push(asked);
      streamReply(response, await this.#reply(asked), this.requests.length);
      return;
    }
    const isModels = z.string().parse(request.url).includes('/models');
    response.writeHead(isModels ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isModels ? { object: 'list', data: [], models: [] } : {}));
  }

  async #reply(asked: ModelRequest): Promise<Reply> {
    const index = this.#holds.findIndex(({ matches }) => matches(asked));
    const [hold] = index === -1 ? [] : this.#holds.splice(index, 1);
    hold?.arrive(asked);
    const given = await hold?.released;
    return given ?? obey(asked, { followsNotices: this.followsNotices });
  }
}
