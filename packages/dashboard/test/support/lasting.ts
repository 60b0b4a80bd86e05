import type { Page } from 'playwright-core'

/** Charts and lists need time to adapt to a new width, above all on a busy machine. */
const settlesWithinMs = 30_000

/** Faults of a page that remain after its layout has settled. */
export async function lasting(page: Page, look: () => string[]): Promise<string[]> {
  const deadline = performance.now() + settlesWithinMs
  for (;;) {
    const found = await page.evaluate(look)
    if (found.length === 0 || performance.now() > deadline) return found
    await page.waitForTimeout(100)
  }
}
