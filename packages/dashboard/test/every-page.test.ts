import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import type { RunOnly } from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
import { lasting } from './support/lasting.ts'
import { everyPage, type PageToSee, type Viewer } from './support/pages.ts'
import { untidyHeads, widerThanWindow } from './support/readable.ts'
import { visit } from './support/visit.ts'

const screenshots = new URL('../../../docs/screenshots/', import.meta.url)
const takesScreenshots = process.env['POSTHORN_SCREENSHOTS'] !== undefined
/** Their charts need weeks of data, so another test takes their screenshots. */
const takenElsewhere = new Set(['overview', 'endpoint-deliveries'])
/** Colors depend on the theme only, and places on the width only, so each theme is seen in one width. */
const looks = [
  { theme: 'light', widthPx: 1280 },
  ...(takesScreenshots ? [{ theme: 'dark', widthPx: 1280 } as const] : []),
  { theme: 'dark', widthPx: 390 },
] as const

const allRules: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** The axe rules that depend on theme or width, because colours, sizes and places change but elements do not. */
const looksRules: RunOnly = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
}

describeInBrowser('every page', () => {
  let stage: FurnishedStage
  let pages: PageToSee[]
  beforeAll(async () => {
    stage = await furnishedStage()
    pages = everyPage(stage)
    if (takesScreenshots) mkdirSync(screenshots, { recursive: true })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('is in the list that this test checks', () => {
    expect(new Set(pages.map(page => page.route))).toEqual(new Set(routesOfTheRouter()))
  })

  test('that has no language is reported as a fault', async () => {
    await using opened = await stage.open(null)
    await visit(opened.page, '/sign-in')
    await opened.page.evaluate(() => document.documentElement.removeAttribute('lang'))
    expect((await faultsOf(opened.page, allRules)).map(({ rule }) => rule)).toEqual(['html-has-lang'])
  })

  test.each<Viewer>(['nobody', 'customer', 'operator'])(
    'the pages of %s are accessible, fit and log no errors: light and wide, dark and narrow',
    { timeout: 1_200_000 },
    async viewer => {
      const { customer, operatorToken } = stage.service
      const credential = { nobody: null, customer: customer.apiKey, operator: operatorToken }[viewer]
      await using opened = await stage.open(credential)
      const { page, complaints } = opened
      const found: unknown[] = []
      for (const { name, path } of pages.filter(one => one.viewer === viewer)) {
        await visit(page, path)
        for (const { theme, widthPx } of looks) {
          await page.emulateMedia({ colorScheme: theme })
          await page.setViewportSize({ width: widthPx, height: 900 })
          found.push(...(await lasting(page, widerThanWindow)).map(rule => ({ name, theme, widthPx, rule })))
          if (widthPx === 1280) {
            found.push(...(await lasting(page, untidyHeads)).map(rule => ({ name, theme, widthPx, rule })))
          }
          const faults = await faultsOf(page, theme === 'light' && widthPx === 1280 ? allRules : looksRules)
          found.push(...faults.map(fault => ({ name, theme, widthPx, ...fault })))
          if (takesScreenshots && widthPx === 1280 && !takenElsewhere.has(name)) {
            await page.screenshot({ path: new URL(`${name}-${theme}.png`, screenshots).pathname })
          }
        }
        found.push(...complaints.splice(0).map(complaint => ({ name, complaint })))
      }
      expect(found).toEqual([])
    },
  )
})

/** The paths in the router's own files. */
function routesOfTheRouter(): string[] {
  const folder = new URL('../src/app/routes/', import.meta.url)
  return readdirSync(folder).flatMap(file =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/path: '([^']+)'/g)].map(
      match => match[1] ?? '',
    ),
  )
}
