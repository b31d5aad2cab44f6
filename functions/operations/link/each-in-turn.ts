// Work on many connections: never all of them at once, and each is tried.

const atOnce = 25;

/**
 * Runs a few at a time; one that fails does not keep the others from being tried. Throws the first
 * failure once nothing is under way any more.
 */
export async function eachInTurn<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const outcomes = await Promise.allSettled(items.slice(at, at + atOnce).map(run));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') failures.push(outcome.reason);
    }
  }
  if (failures.length > 0) throw failures[0];
}
