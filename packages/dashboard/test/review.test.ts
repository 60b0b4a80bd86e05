import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newCustomer } from '../../server/test/support/api.ts'
import { furnishBusily } from './support/furnish-busily.ts'
import { startDashboardService } from './support/dashboard-service.ts'
import { newestServer } from '../../server/test/support/test-database.ts'
import { liveIn } from './support/lived-in.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { everyPage, type PageToSee, type Viewer } from './support/pages.ts'
import { type FurnishedStage, stageOf } from './support/stage.ts'
import { hasLoaded } from './support/visit.ts'

/** The folder for the pictures. Without it, this review is skipped. */
const folder = process.env['POSTHORN_REVIEW']
/** A part of the name of the pages to see. */
const part = process.env['POSTHORN_REVIEW_PAGE'] ?? ''
const themes = ['light', 'dark'] as const
const widthsPx = [1440, 1280, 390]

const describeReview = folder === undefined ? describe.skip : describeInBrowser

describeReview('pictures of every page for a review', () => {
  let stage: FurnishedStage
  let pages: PageToSee[]
  beforeAll(async () => {
    // retries start long after the review
    const retriesLater = { POSTHORN_RETRY_BASE_SECONDS: '86400' }
    const bare = await stageOf(await startDashboardService(retriesLater, newestServer().serverUrl))
    stage = { ...bare, ids: await furnishBusily(bare.service, bare.receiver) }
    const { databaseUrl, customer } = bare.service
    if (databaseUrl === null) throw new Error('the service uses the embedded database')
    const { healthy } = stage.ids
    await liveIn({ databaseUrl, accountId: customer.accountId, webhookIds: [healthy], days: 61 })
    pages = everyPage(stage).filter(({ name }) => name.includes(part))
    mkdirSync(String(folder), { recursive: true })
  }, 600_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test.each<Viewer>(['nobody', 'customer', 'operator'])(
    'full, for %s',
    { timeout: 1_800_000 },
    async viewer => {
      const { customer, operatorToken } = stage.service
      await using opened = await stage.open(
        { nobody: null, customer: customer.apiKey, operator: operatorToken }[viewer],
      )
      for (const { name, path } of pages.filter(one => one.viewer === viewer)) {
        await take(opened.page, path, `${name}-full`)
      }
      expect(opened.complaints).toEqual([])
    },
  )

  test('empty', { timeout: 1_800_000 }, async () => {
    const { url, operator } = stage.service
    const { apiKey } = await newCustomer(url, operator, 10)
    await using opened = await stage.open(apiKey)
    for (const { name, path } of lists()) await take(opened.page, path, `${name}-empty`)
    expect(opened.complaints).toEqual([])
  })

  test('with an error', { timeout: 1_800_000 }, async () => {
    await using opened = await stage.open()
    await opened.page.route(/\/v1\/(?!sessions?$)/, async route => {
      const problem = { status: 500, code: 'internal_error', request_id: '4f1c22d0' }
      await route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem })
    })
    for (const { name, path } of pages.filter(one => one.viewer === 'customer')) {
      await take(opened.page, path, `${name}-error`)
    }
  })

  /** The customer's pages that are about no object. */
  function lists(): PageToSee[] {
    return pages.filter(({ viewer, route }) => viewer === 'customer' && !route.includes('$'))
  }
})

async function take(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path)
  for (const widthPx of widthsPx) {
    await page.setViewportSize({ width: widthPx, height: 900 })
    await hasLoaded(page)
    await page.waitForLoadState('networkidle')
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      const clip = { x: 0, y: 0, width: widthPx, height: 1_800 }
      await page.screenshot({ path: `${folder}/${name}-${widthPx}-${theme}.png`, fullPage: true, clip })
    }
  }
}
