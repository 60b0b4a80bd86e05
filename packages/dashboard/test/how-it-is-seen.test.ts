import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clippedTexts, spaceTexts, spaceTextsNoMore, widerThanWindow } from './support/readable.ts'
import { marksWithoutWords, moving, sameAsTheOthers, withoutEdge } from './support/told-apart.ts'
import { lasting } from './support/lasting.ts'
import { everyPage } from './support/pages.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
import { hasLoaded, visit } from './support/visit.ts'

/** The faults that people with different vision or settings would find on all pages. */
interface Found {
  readonly zoomed: string[]
  readonly spaced: string[]
  readonly inForcedColours: string[]
  readonly withoutColours: string[]
}

describeInBrowser('every page can be used by whoever', () => {
  let stage: FurnishedStage
  const found: Found = { zoomed: [], spaced: [], inForcedColours: [], withoutColours: [] }
  beforeAll(async () => {
    stage = await furnishedStage()
    const { customer, operatorToken } = stage.service
    for (const viewer of ['nobody', 'customer', 'operator'] as const) {
      const credential = { nobody: null, customer: customer.apiKey, operator: operatorToken }[viewer]
      await using visitor = await stage.open(credential)
      for (const { name, path } of everyPage(stage).filter(one => one.viewer === viewer)) {
        await lookAt(visitor.page, name, path)
      }
    }
  }, 600_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('at 400 % zoom with wider text spacing nothing is cut off or scrolls sideways', () => {
    expect(found.zoomed).toEqual([])
  })

  test('on a wide screen with wider text spacing nothing is cut off or scrolls sideways', () => {
    expect(found.spaced).toEqual([])
  })

  test('with forced colours edges remain, and selected elements look different from others', () => {
    expect(found.inForcedColours).toEqual([])
  })

  test('without colours each mark has a word, and with reduced motion nothing moves', () => {
    expect(found.withoutColours).toEqual([])
  })

  test('if reduced motion is not requested, elements are animated', async () => {
    await using visitor = await stage.open()
    await visit(visitor.page, '/endpoints')
    await visitor.page.emulateMedia({ reducedMotion: 'no-preference' })
    expect((await visitor.page.evaluate(moving)).length).toBeGreaterThan(0)
  })

  /** Checks a page in every way with a single load. */
  async function lookAt(page: Page, name: string, path: string): Promise<void> {
    const add = (list: string[], whats: readonly string[]): void => {
      list.push(...whats.map(what => `${name}: ${what}`))
    }
    await page.setViewportSize({ width: 320, height: 900 })
    await visit(page, path)
    add(found.zoomed, await lasting(page, widerThanWindow))
    await page.evaluate(spaceTexts)
    add(found.zoomed, await lasting(page, widerThanWindow))
    add(found.zoomed, await lasting(page, clippedTexts))

    await page.evaluate(spaceTextsNoMore)
    await page.setViewportSize({ width: 1280, height: 900 })
    await hasLoaded(page)
    await page.locator('button:visible, a:visible, summary:visible, main:visible').last().hover()
    add(found.withoutColours, await page.evaluate(marksWithoutWords))
    add(found.withoutColours, await page.evaluate(moving))

    await page.emulateMedia({ forcedColors: 'none' })
    const before = new Set(await page.evaluate(withoutEdge))
    await page.emulateMedia({ forcedColors: 'active' })
    const after = await page.evaluate(withoutEdge)
    add(
      found.inForcedColours,
      after.filter(what => !before.has(what)),
    )
    add(found.inForcedColours, await page.evaluate(sameAsTheOthers))
    await page.emulateMedia({ forcedColors: 'none' })

    await page.evaluate(spaceTexts)
    add(found.spaced, await lasting(page, widerThanWindow))
    add(found.spaced, await lasting(page, clippedTexts))
  }
})
