import type { Page } from 'playwright-core'

/** Opens a page and waits until it is complete. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await hasLoaded(page)
}

/** Opens another page like a link, without a reload. */
export async function goOn(page: Page, path: string): Promise<void> {
  await page.evaluate(to => history.pushState(null, '', to), path)
}

/** Waits until the page has its heading and nothing is loading. */
export async function hasLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
}
