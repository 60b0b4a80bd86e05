import type { Page } from 'playwright-core'

/** All controls of the page, including the menu of a row. */
export async function controls(page: Page): Promise<string[]> {
  const menu = page.getByRole('button', { name: /^More for/ }).first()
  if ((await menu.count()) > 0) {
    await menu.click()
    await page.getByRole('menuitem').first().waitFor()
  }
  const names = await page.locator('main').locator('button, a, [role=menuitem]').allInnerTexts()
  return names.map(name => name.trim())
}
