// Pictures of the pages that the demo goes through, as a phone and as a desktop show them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { windowSizes } from '../chromium/sizes.ts';

/** Takes the page in both sizes under a name. */
export type Camera = (page: Page, name: string) => Promise<void>;

/** Without a folder it takes none. */
export function openCamera(folder: string | undefined): Camera {
  if (folder === undefined) return async () => {};
  mkdirSync(folder, { recursive: true });
  let taken = 0;
  return async (page, name) => {
    taken += 1;
    for (const [device, size] of Object.entries(windowSizes)) {
      await page.setViewportSize(size);
      const path = join(folder, `${String(taken).padStart(2, '0')}-${name}-${device}.png`);
      await page.screenshot({ path });
    }
    await page.setViewportSize(windowSizes.phone);
  };
}
