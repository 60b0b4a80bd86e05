import { errors, type Page } from 'playwright-core'

/** Says that the page scrolls sideways, unless it fits once charts have taken their new width. */
export async function sideways(page: Page): Promise<string[]> {
  try {
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, null, {
      timeout: 5_000,
    })
    return []
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    return ['scrolls sideways']
  }
}
