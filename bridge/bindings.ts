// The bridges of a host whose one process holds several conversations.
import type { Bridge } from './bridge.ts';

export class Bindings {
  readonly #make: (conversation: string) => Bridge;
  readonly #bridges = new Map<string, Bridge>();

  constructor(make: (conversation: string) => Bridge) {
    this.#make = make;
  }

  /** The started bridge of a conversation; binding it again gives the same one. */
  bind(conversation: string): Bridge {
    const bound = this.#bridges.get(conversation);
    if (bound !== undefined) return bound;
    const bridge = this.#make(conversation);
    this.#bridges.set(conversation, bridge);
    void bridge.start();
    return bridge;
  }

  /** The conversation has ended or is held elsewhere. */
  async release(conversation: string): Promise<void> {
    const bridge = this.#bridges.get(conversation);
    this.#bridges.delete(conversation);
    await bridge?.dispose();
  }

  async dispose(): Promise<void> {
    await Promise.all(Array.from(this.#bridges.keys(), (bound) => this.release(bound)));
  }
}
