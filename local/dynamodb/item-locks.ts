// Which items are held by calls in flight, so that a call that meets them is refused as DynamoDB
// refuses it.

/** What the holder of an item is. */
export type Holder = 'transaction' | 'write';

/** One call's grip on its items. */
export interface Hold {
  /** Makes an undecided hold firm; a firm one stays as it is. */
  confirm(): void;
  /** May be called more than once. */
  release(): void;
}

/** The items held by calls in flight, by their IDs. */
export interface ItemLocks {
  isHeld(itemId: string, by: Holder): boolean;
  hold(itemIds: readonly string[], by: Holder): Hold;
  /**
   * Holds for a transaction whose conditions are still being checked. Others neither see it nor may
   * pass it: they await its `decision` first.
   */
  holdUndecided(itemIds: readonly string[]): Hold;
  /** Ends with an undecided hold on one of the items; undefined if there is none. */
  decision(itemIds: readonly string[]): Promise<void> | undefined;
}

export function createItemLocks(): ItemLocks {
  const held = { transaction: new Map<string, number>(), write: new Map<string, number>() };
  const undecided = new Map<string, Promise<void>>();

  function change(itemIds: readonly string[], by: Holder, step: number): void {
    for (const itemId of itemIds) {
      const count = (held[by].get(itemId) ?? 0) + step;
      if (count > 0) held[by].set(itemId, count);
      else held[by].delete(itemId);
    }
  }

  function hold(itemIds: readonly string[], by: Holder): Hold {
    let isReleased = false;
    change(itemIds, by, 1);
    return {
      confirm() {},
      release() {
        if (!isReleased) change(itemIds, by, -1);
        isReleased = true;
      },
    };
  }

  function holdUndecided(itemIds: readonly string[]): Hold {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const itemId of itemIds) undecided.set(itemId, promise);
    let firm: Hold | undefined;
    let isDecided = false;
    function decide(): void {
      if (isDecided) return;
      isDecided = true;
      for (const itemId of itemIds) undecided.delete(itemId);
      resolve();
    }
    return {
      confirm() {
        firm = hold(itemIds, 'transaction');
        decide();
      },
      release() {
        decide();
        firm?.release();
      },
    };
  }

  return {
    isHeld: (itemId, by) => held[by].has(itemId),
    hold,
    holdUndecided,
    decision: (itemIds) =>
      itemIds.map((itemId) => undecided.get(itemId)).find((promise) => promise !== undefined),
  };
}
