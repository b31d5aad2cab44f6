// The room as it must be, kept from what the Hub answered: the reference the Hub is compared with.
import type { HostKind } from '../../../protocol/nouns.ts';
import type { Caller } from '../../testing/test-hub.ts';

/** One stay. */
export interface Stay {
  readonly caller: Caller & { readonly host: HostKind; readonly conversation: string };
  readonly isPull: boolean;
  /** Its name now, and every one it had. */
  address: string;
  isPresent: boolean;
  position: number;
}

/** One message that was acknowledged. */
export interface Said {
  readonly id: string;
  readonly seq: number;
  readonly from: Stay;
  readonly to: readonly Stay[];
  readonly isDm: boolean;
  readonly body: string;
  isDeleted: boolean;
  /** Who answered it. */
  readonly repliedBy: Set<Stay>;
}

/** What the Hub must show of one room. */
export class Reference {
  readonly stays: Stay[] = [];
  readonly said: Said[] = [];
  /** Deliveries to pull members: by stay, IDs in the order they came. */
  readonly delivered = new Map<Stay, string[]>();
  readonly #byAddress = new Map<string, Stay>();

  get present(): readonly Stay[] {
    return this.stays.filter(({ isPresent }) => isPresent);
  }

  /** Somebody is about to join: its address may be in answers before its own answer is there. */
  expect(stay: Stay): void {
    this.#byAddress.set(stay.address, stay);
  }

  join(stay: Stay, seq: number): void {
    stay.position = seq;
    stay.isPresent = true;
    this.stays.push(stay);
  }

  rename(stay: Stay, address: string): void {
    stay.address = address;
    this.#byAddress.set(address, stay);
  }

  /** Whose address this is or was: names are never used twice here. */
  of(address: string): Stay {
    const stay = this.#byAddress.get(address);
    if (stay === undefined) throw new Error(`nobody was ever called ${address}`);
    return stay;
  }

  say(said: Said): void {
    this.said.push(said);
    this.said.sort((a, b) => a.seq - b.seq);
  }

  /** Unread mail of a member, oldest first. */
  unread(stay: Stay): readonly Said[] {
    return this.said.filter(
      ({ to, seq, isDeleted }) => !isDeleted && seq > stay.position && to.includes(stay),
    );
  }

  /** Messages a member may read, oldest first; intros are not kept here. */
  visible(stay: Stay): readonly Said[] {
    return this.said.filter(({ isDm, from, to }) => !isDm || from === stay || to.includes(stay));
  }

  unreadFrom(sender: Stay, reader: Stay): number {
    return this.unread(reader).filter(({ from }) => from === sender).length;
  }

  stateOf(said: Said, reader: Stay): 'replied' | 'read' | 'left' | 'unread' {
    if (said.repliedBy.has(reader)) return 'replied';
    if (reader.position >= said.seq) return 'read';
    return reader.isPresent ? 'unread' : 'left';
  }
}
