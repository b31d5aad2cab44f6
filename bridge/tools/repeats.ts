// IDs of calls whose outcome is unknown: an agent that repeats such a call says the same thing, not
// a second thing (protocol, section 2, "send").

const kept = 20;

export class Repeats {
  readonly #ids = new Map<string, string>();

  /** The ID of the call like this one that got no answer; it is handed out once. */
  take(call: string): string | undefined {
    const id = this.#ids.get(call);
    this.#ids.delete(call);
    return id;
  }

  /** Remembers the ID of a call that got no answer; the oldest is forgotten. */
  keep(call: string, id: string): void {
    this.#ids.set(call, id);
    const [oldest] = this.#ids.keys();
    if (this.#ids.size > kept && oldest !== undefined) this.#ids.delete(oldest);
  }
}
