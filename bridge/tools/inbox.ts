// Reading the inbox at least once: a batch is handed over, then confirmed by `read`, and the next
// one waits for that (protocol, section 2, "inbox"; section 5).
import type { RoomId } from '../../protocol/ids.ts';
import type { Position } from '../../protocol/nouns.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';
import type { Clock } from '../clock.ts';
import type { ConversationHub } from '../hub/conversation-hub.ts';
import type { WakeRunner } from '../wake/runner.ts';

/** A host that has not taken a result after this long is not going to. */
export const deliveryTimeoutMs = 10_000;

export interface InboxPorts {
  hub: ConversationHub;
  room: RoomId;
  clock: Clock;
  wake: Pick<WakeRunner, 'inbox'>;
}

export interface InboxBatch {
  result: OperationResult<'inbox'>;
  delivered: () => Promise<void>;
}

export class Inbox {
  readonly #ports: InboxPorts;
  /** Settles when the batch before is confirmed or given up. */
  #previous: Promise<void> = Promise.resolve();
  /** Handed over, but the Hub did not hear of it. */
  #unconfirmed: Position | undefined;
  readonly #deliveries = new Set<() => void>();

  constructor(ports: InboxPorts) {
    this.#ports = ports;
  }

  /** The next batch; what `delivered` means is said in `ToolResult`. */
  async next(): Promise<InboxBatch> {
    const previous = this.#previous;
    let release = () => {};
    this.#previous = new Promise((resolve) => {
      release = resolve;
    });
    await previous;
    const { hub, room, wake } = this.#ports;
    wake.inbox('inboxAsked', undefined);
    try {
      if (this.#unconfirmed !== undefined) await this.#confirm(this.#unconfirmed);
      const result = await hub('inbox', {}, { room });
      return { result, delivered: this.#handOver(result, release) };
    } catch (error) {
      wake.inbox('inboxDropped', undefined);
      release();
      throw error;
    }
  }

  /** Waits for no delivery any more. */
  stop(): void {
    for (const cancel of this.#deliveries) cancel();
  }

  #handOver(result: OperationResult<'inbox'>, release: () => void): () => Promise<void> {
    const { clock, wake } = this.#ports;
    const { messages, upTo, remaining } = result;
    const batch = { upTo, remaining, messages: messages.length };
    if (messages.length === 0) {
      wake.inbox('inboxDelivered', batch);
      release();
      return () => Promise.resolve();
    }
    const cancel = clock.after(deliveryTimeoutMs, () => {
      this.#deliveries.delete(cancel);
      wake.inbox('inboxDropped', undefined);
      release();
    });
    this.#deliveries.add(cancel);
    let confirmation: Promise<void> | undefined;
    return () => {
      if (confirmation === undefined) {
        cancel();
        this.#deliveries.delete(cancel);
        wake.inbox('inboxDelivered', batch);
        confirmation = this.#confirm(upTo).finally(release);
      }
      return confirmation;
    };
  }

  /** Never rejects: what was not confirmed comes again, and the next call tries to confirm it. */
  async #confirm(upTo: Position): Promise<void> {
    try {
      await this.#ports.hub('read', { upTo }, { room: this.#ports.room });
      if (upTo >= (this.#unconfirmed ?? 0)) this.#unconfirmed = undefined;
    } catch {
      this.#unconfirmed = Math.max(upTo, this.#unconfirmed ?? 0);
    }
  }
}
