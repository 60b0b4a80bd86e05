import type { Page } from 'playwright-core'

/** Charts and lists take their time to fill another width, above all on a machine that does much else. */
const settlesWithinMs = 30_000

/** What looking at a page finds wrong, unless it passes once everything has its place. */
export async function lasting(page: Page, look: () => string[]): Promise<string[]> {
  const deadline = performance.now() + settlesWithinMs
  for (;;) {
    const found = await page.evaluate(look)
    if (found.length === 0 || performance.now() > deadline) return found
    await page.waitForTimeout(100)
  }
}
