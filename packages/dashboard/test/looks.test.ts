import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
import { hasLoaded, visit } from './support/visit.ts'

describeInBrowser('the dashboard', () => {
  let stage: FurnishedStage
  beforeAll(async () => {
    stage = await furnishedStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('has its own fonts on the first visit, because the page names them before its styles do', async () => {
    await using visitor = await stage.open(null)
    const { page } = visitor
    await page.goto('/sign-in')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(async () => await document.fonts.ready)
    // a font that the styles asked for would have the initiator `css`
    expect(await page.evaluate(initiatorsOfFonts)).toEqual(['link', 'link', 'link'])
    expect(await fontsOf(page, 'h1')).toEqual(['IBM Plex Serif Medium'])
    expect(await fontsOf(page, 'p')).toEqual(['IBM Plex Sans'])
    expect(await fontsOf(page, 'code')).toEqual(['IBM Plex Mono'])
  })

  test('writes titles of every kind in the serif font', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/')
    await page.evaluate(async () => await document.fonts.ready)
    for (const title of ['h1', 'aside a', 'h2', 'dl dd a']) {
      expect(await fontsOf(page, title), title).toEqual(['IBM Plex Serif Medium'])
    }
  })

  test('names each state in the filters of a phone', async () => {
    await using visitor = await stage.open(undefined, { widthPx: 390 })
    const { page } = visitor
    for (const [path, state] of [
      ['/deliveries', 'Exhausted'],
      ['/emails', 'Handed over'],
    ] as const) {
      await visit(page, path)
      await page.getByRole('button', { name: 'Filters' }).click()
      const word = page.getByRole('dialog').getByText(state, { exact: true })
      expect((await word.boundingBox())?.width).toBeGreaterThan(40)
    }
  })

  test('shows recipient and endpoint of a delivery on a phone', async () => {
    await using visitor = await stage.open(undefined, { widthPx: 390 })
    const { page } = visitor
    await visit(page, '/deliveries?state=failed')
    const row = page
      .getByRole('row')
      .filter({ hasText: /reader\d+@/ })
      .first()
    await row.getByText(/^reader\d+@example\.org$/).waitFor()
    await row.getByText(/^(Billing|<b>Warehouse<\/b>)/).waitFor()
  })

  test('reads a typed time as it writes it, and says how to write one that it cannot read', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/deliveries')
    await page.getByRole('button', { name: 'Time', exact: true }).click()
    const since = page.getByRole('textbox', { name: 'Since' })
    await since.fill('yesterday')
    await since.press('Enter')
    await page.getByText(/^Write it like \d+ \w+ \d{4}, \d\d:\d\d:\d\d\.$/).waitFor()
    expect(new URL(page.url()).search).toBe('')

    await since.fill('21 Nov 2026, 03:14')
    await since.press('Enter')
    await page.waitForURL(/since=/)
    expect(await since.inputValue()).toBe('21 Nov 2026, 03:14:00')
  })

  test('dims the scrollbar beside a dialog like the page below it', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/api-keys')
    const look = async () =>
      await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarColor)
    expect(await look()).toBe('auto')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await look()).not.toBe('auto')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await hasLoaded(page)
    expect(await look()).toBe('auto')
  })
})

/** What made the browser load each font. */
function initiatorsOfFonts(): string[] {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return files.filter(({ name }) => name.endsWith('.woff2')).map(({ initiatorType }) => initiatorType)
}

/** The fonts that the browser really uses for an element. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
  await devtools.detach()
  return fonts.map(({ familyName }) => familyName)
}
