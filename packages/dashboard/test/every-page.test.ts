import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
import { everyPage, type PageToSee, type Viewer } from './support/pages.ts'

const screenshots = new URL('../../../docs/screenshots/', import.meta.url)
const takesScreenshots = process.env['POSTHORN_SCREENSHOTS'] !== undefined
const looks = [
  { theme: 'light', widthPx: 1280 },
  { theme: 'dark', widthPx: 1280 },
  { theme: 'light', widthPx: 390 },
  { theme: 'dark', widthPx: 390 },
] as const

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What the other theme can change: the elements are the same, and only their colours are others. */
const colourRules = ['color-contrast', 'link-in-text-block']

describeInBrowser('every page', () => {
  let stage: FurnishedStage
  let pages: PageToSee[]
  beforeAll(async () => {
    stage = await furnishedStage()
    pages = everyPage(stage)
    if (takesScreenshots) mkdirSync(screenshots, { recursive: true })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('is in the list that is looked at here', () => {
    expect(new Set(pages.map(page => page.route))).toEqual(new Set(routesOfTheRouter()))
  })

  test.each(looks)(
    'is accessible, whole and free of complaints: $theme, $widthPx px',
    { timeout: 400_000 },
    async look => {
      const opened = new Map<Viewer, OpenPage>()
      const found: unknown[] = []
      for (const { name, path, viewer } of pages) {
        const open = opened.get(viewer) ?? (await openAs(viewer, look))
        opened.set(viewer, open)
        const { page, complaints } = open
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
        const axe = new AxeBuilder({ page })
        const chosen = look.theme === 'light' ? axe.withTags(rules) : axe.withRules(colourRules)
        const { violations } = await chosen.analyze()
        for (const violation of violations) {
          found.push({
            page: name,
            rule: violation.id,
            at: violation.nodes.map(node => node.html).slice(0, 3),
          })
        }
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        if (sideways) found.push({ page: name, rule: 'the page scrolls sideways' })
        found.push(...complaints.splice(0).map(complaint => ({ page: name, complaint })))
        if (takesScreenshots && look.widthPx === 1280) {
          await page.screenshot({ path: new URL(`${name}-${look.theme}.png`, screenshots).pathname })
        }
      }
      for (const open of opened.values()) await open[Symbol.asyncDispose]()
      expect(found).toEqual([])
    },
  )

  async function openAs(viewer: Viewer, look: (typeof looks)[number]): Promise<OpenPage> {
    const { customer, operatorToken } = stage.service
    const credential = { nobody: null, customer: customer.apiKey, operator: operatorToken }[viewer]
    return await stage.open(credential, look)
  }
})

/** The addresses that the router's own files name. */
function routesOfTheRouter(): string[] {
  const folder = new URL('../src/app/routes/', import.meta.url)
  return readdirSync(folder).flatMap(file =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/path: '([^']+)'/g)].map(
      match => match[1] ?? '',
    ),
  )
}
