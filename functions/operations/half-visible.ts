// Patience with commits of which readers see only half: that lasts milliseconds (design, section
// 3).
import type { Hub } from './hub.ts';

const patienceMs = 2_500;
const pollMs = 40;

/** What a look found, and whether a commit in its way was only half visible. */
export interface Look<View> {
  readonly view: View;
  readonly isHalf: boolean;
}

/** Looks again while a commit is half visible; gives what there is once patience is over. */
export async function untilVisible<View>(
  { table }: Pick<Hub, 'table'>,
  look: () => Promise<Look<View>>,
): Promise<View> {
  const untilMs = table.nowMs() + patienceMs;
  for (;;) {
    const { view, isHalf } = await look();
    if (!isHalf || table.nowMs() >= untilMs) return view;
    await table.sleep(pollMs);
  }
}
