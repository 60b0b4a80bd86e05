import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isThroughFront } from '../../server/test/support/through-front.ts'
import { newestServer } from '../../server/test/support/test-database.ts'
import type { OpenPage } from './support/browser.ts'
import { startDashboardService } from './support/dashboard-service.ts'
import { faultsOf } from './support/faults-of.ts'
import { furnish } from './support/furnish.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { lasting } from './support/lasting.ts'
import { liveIn } from './support/lived-in.ts'
import { widerThanWindow } from './support/readable.ts'
import { type Stage, stageOf } from './support/stage.ts'
import { hasLoaded } from './support/visit.ts'

const screenshots = process.env['POSTHORN_SCREENSHOTS_OF_OVERVIEW']

// statistics of weeks can only be written into the database of the account
const describeHere = isThroughFront() ? describe.skip : describeInBrowser

describeHere('the overview of an account with two months of mail', () => {
  let stage: Stage
  let visit: OpenPage
  let page: Page
  beforeAll(async () => {
    const retriesLater = { POSTHORN_RETRY_BASE_SECONDS: '86400' }
    stage = await stageOf(await startDashboardService(retriesLater, newestServer().serverUrl))
    const { service } = stage
    const { healthy } = await furnish(service, stage.receiver)
    const { databaseUrl } = service
    if (databaseUrl === null) throw new Error('the service uses the embedded database')
    const { accountId } = service.customer
    await liveIn({ databaseUrl, accountId, webhookIds: [healthy], days: 61 })
    visit = await stage.open()
    page = visit.page
  }, 240_000)
  afterAll(async () => {
    await visit[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  async function open(path: string): Promise<void> {
    await page.goto(path)
    await hasLoaded(page)
    await page.getByRole('img', { name: /^Of [\d,]+ emails in/ }).waitFor()
  }

  test('starts with 30 days, because no range contains everything', async () => {
    await open('/')
    expect(await page.getByRole('radio', { name: '30 d' }).isChecked()).toBe(true)
    expect(visit.complaints).toEqual([])
  })

  test.runIf(screenshots !== undefined)('can be looked at', { timeout: 240_000 }, async () => {
    mkdirSync(String(screenshots), { recursive: true })
    for (const theme of ['light', 'dark'] as const) {
      for (const widthPx of [1440, 1280, 390]) {
        await page.emulateMedia({ colorScheme: theme })
        await page.setViewportSize({ width: widthPx, height: 900 })
        await open('/?range=7d')
        await page
          .getByText(/^before /)
          .first()
          .waitFor()
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `${screenshots}/overview-${widthPx}-${theme}.png`, fullPage: true })
        expect(await lasting(page, widerThanWindow)).toEqual([])
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await open('/')
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `${screenshots}/overview-30d.png`, fullPage: true })
    expect(
      await faultsOf(page, {
        type: 'tag',
        values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
      }),
    ).toEqual([])
  })
})
