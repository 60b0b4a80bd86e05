import { afterAll, beforeAll, expect, test } from 'vitest'
import { clippedTexts, spaceTexts } from './support/readable.ts'
import { marksWithoutWords, moving, sameAsTheOthers, withoutEdge } from './support/told-apart.ts'
import { everyPage, type PageToSee } from './support/pages.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

describeInBrowser('every page can be used by whoever', () => {
  let stage: FurnishedStage
  let pages: PageToSee[]
  beforeAll(async () => {
    stage = await furnishedStage()
    pages = everyPage(stage)
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('zooms to 400 %, and spaces texts: nothing is cut off, nothing scrolls sideways', async () => {
    expect(
      await lookAt({ widthPx: 320 }, async page => {
        const zoomed = await page.evaluate(sideways)
        await page.evaluate(spaceTexts)
        return [...zoomed, ...(await page.evaluate(sideways)), ...(await page.evaluate(clippedTexts))]
      }),
    ).toEqual([])
  })

  test('spaces texts on a wide screen: nothing is cut off', async () => {
    expect(
      await lookAt({}, async page => {
        await page.evaluate(spaceTexts)
        return [...(await page.evaluate(sideways)), ...(await page.evaluate(clippedTexts))]
      }),
    ).toEqual([])
  })

  test('sees no colours but the chosen ones: edges stay, and what is chosen is told apart', async () => {
    expect(
      await lookAt({}, async page => {
        await page.emulateMedia({ forcedColors: 'none' })
        const before = new Set(await page.evaluate(withoutEdge))
        await page.emulateMedia({ forcedColors: 'active' })
        const after = await page.evaluate(withoutEdge)
        return [...after.filter(what => !before.has(what)), ...(await page.evaluate(sameAsTheOthers))]
      }),
    ).toEqual([])
  })

  test('sees no colours at all, and wants nothing to move: each mark has its word, and nothing moves', async () => {
    expect(
      await lookAt({}, async page => {
        await page.locator('button:visible, a:visible, summary:visible, main:visible').last().hover()
        return [...(await page.evaluate(marksWithoutWords)), ...(await page.evaluate(moving))]
      }),
    ).toEqual([])
  })

  test('who has nothing against motion sees buttons change', async () => {
    await using visitor = await stage.open()
    await visit(visitor.page, '/endpoints')
    await visitor.page.emulateMedia({ reducedMotion: 'no-preference' })
    expect((await visitor.page.evaluate(moving)).length).toBeGreaterThan(0)
  })

  /** What somebody finds on all pages, each with the page's name. */
  async function lookAt(
    look: { widthPx?: number },
    find: (page: Awaited<ReturnType<FurnishedStage['open']>>['page']) => Promise<readonly string[]>,
  ): Promise<string[]> {
    const found: string[] = []
    const { customer, operatorToken } = stage.service
    for (const viewer of ['nobody', 'customer', 'operator'] as const) {
      const credential = { nobody: null, customer: customer.apiKey, operator: operatorToken }[viewer]
      await using visitor = await stage.open(credential, look)
      const { page, complaints } = visitor
      for (const { name, path } of pages.filter(one => one.viewer === viewer)) {
        await visit(page, path)
        found.push(...(await find(page)).map(what => `${name}: ${what}`))
      }
      found.push(...complaints)
    }
    return found
  }
})

function sideways(): string[] {
  const wide = document.documentElement.scrollWidth - innerWidth
  return wide > 0 ? [`scrolls sideways by ${wide} px`] : []
}
