import { mkdirSync } from 'node:fs'
import type { Webhook } from '@posthorn/contract'
import type { Page as BrowserPage } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type Page } from '../../server/test/support/api.ts'
import { isThroughFront } from '../../server/test/support/through-front.ts'
import { newestServer } from '../../server/test/support/test-database.ts'
import type { OpenPage } from './support/browser.ts'
import { startDashboardService } from './support/dashboard-service.ts'
import { faultsOf } from './support/faults-of.ts'
import { furnish } from './support/furnish.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { lasting } from './support/lasting.ts'
import { forgetBefore, type LivedIn, liveIn, liveThroughOutage } from './support/lived-in.ts'
import { widerThanWindow } from './support/readable.ts'
import { type Stage, stageOf } from './support/stage.ts'
import { hasLoaded, visit as visitPage } from './support/visit.ts'

const screenshots = new URL('../../../docs/screenshots/', import.meta.url)
const takesScreenshots = process.env['POSTHORN_SCREENSHOTS'] !== undefined

// statistics of weeks can only be written into the database of the account
const describeHere = isThroughFront() ? describe.skip : describeInBrowser

describeHere('the overview of an account with two months of mail', () => {
  let stage: Stage
  let visit: OpenPage
  let page: BrowserPage
  let webhookId: string
  let livedIn: LivedIn
  beforeAll(async () => {
    const retriesLater = { POSTHORN_RETRY_BASE_SECONDS: '86400' }
    stage = await stageOf(await startDashboardService(retriesLater, newestServer().serverUrl))
    const { service } = stage
    const { healthy } = await furnish(service, stage.receiver)
    webhookId = healthy
    const { databaseUrl } = service
    if (databaseUrl === null) throw new Error('the service uses the embedded database')
    const { accountId } = service.customer
    livedIn = { databaseUrl, accountId, webhookIds: [healthy], days: 61 }
    await liveIn(livedIn)
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
  })

  test('each rate has its numbers, its state in words, and the rate before', async () => {
    await open('/?range=7d')
    const figures = page.getByRole('region', { name: 'Email' }).locator('dl > div')
    await figures
      .getByText(/^before /)
      .nth(3)
      .waitFor()
    const [delivered, bounces, complaints] = await figures.allInnerTexts()
    expect(delivered).toMatch(/^Emails delivered\n9\d(\.\d)?%\n[\d,]+ of [\d,]+ emails\nbefore 9\d/)
    expect(bounces).toMatch(/^Bounce rate\n\d(\.\d)?%\n(High|Too high)\n[\d,]+ of [\d,]+ emails\nbefore \d/)
    expect(complaints).toMatch(/^Complaint rate\n0\.\d+%\n\w+\n[\d,]+ of [\d,]+ delivered\nbefore 0/)
  })

  test('reasons are compared with the period before, and link to their events', async () => {
    await open('/?range=7d')
    const reasons = page.getByRole('list', { name: /emails bounced or failed in the last 7 days/ })
    await reasons
      .getByText(/^before [\d,]+$/)
      .first()
      .waitFor()
    await reasons.getByRole('link', { name: 'Refused as spam' }).click()
    await page.waitForURL(/\/events\?type=email\.failed&reason=spam_rejected&since=/)
    await page.getByRole('button', { name: 'Remove filter Refused as spam' }).waitFor()
  })

  test('the largest domains have their rates, and all others share a line', async () => {
    await open('/?range=7d')
    const table = page.getByRole('table', { name: 'Recipients by domain' })
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
      expect.stringMatching(/^gmail\.com\n[\d,]+ emails$/),
      ...['outlook.com', 'yahoo.com', 'gmx.de', 'icloud.com'].map(name => expect.stringContaining(name)),
      expect.stringContaining('All others'),
    ])
    await table
      .getByRole('row', { name: /^yahoo\.com/ })
      .getByText('Too high')
      .waitFor()
    await page.getByRole('button', { name: /^Show all \d+$/ }).click()
    await table.getByRole('row', { name: /^hotmail\.co\.uk/ }).waitFor()
  })

  test('Enter on bars of outcomes opens their events, and dragging over results their deliveries', async () => {
    await open('/?range=7d')
    await page.getByRole('slider', { name: 'Outcomes, bar by bar' }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/events\?since=/)

    await open('/?range=7d')
    const results = page.getByRole('slider', { name: 'Results, bar by bar' })
    await results.scrollIntoViewIfNeeded()
    const box = await results.boundingBox()
    if (box === null) throw new Error('the picture has no place')
    await page.mouse.move(box.x + 300, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + 500, box.y + 40, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/\/deliveries\?/)
    const { searchParams } = new URL(page.url())
    const since = Date.parse(String(searchParams.get('since')))
    expect(since % 7_200_000).toBe(0)
    expect(Date.parse(String(searchParams.get('until'))) - since).toBeGreaterThan(7_200_000)
  })

  test('the outcomes can be read as a table', async () => {
    await open('/?range=7d')
    await page.getByRole('button', { name: 'Show as table: Outcomes of emails' }).click()
    const table = page.getByRole('region', { name: 'Outcomes of emails' }).getByRole('table')
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Time',
      'Delivered',
      'Bounced',
      'Failed',
      'Unsubscribed',
    ])
    expect(await table.getByRole('row').count()).toBe(85)
  })

  test('the latest bounces link to their emails', async () => {
    await open('/')
    const bounces = page.getByRole('region', { name: 'Latest bounces' })
    expect(await bounces.getByRole('listitem').count()).toBe(5)
    await bounces
      .getByRole('link', { name: /^email / })
      .first()
      .click()
    await page.waitForURL(/\/emails\/em_|\/events\?email=/)
  })

  test('a domain with wrong DNS records has a notice, and a recovered endpoint is listed', async () => {
    await open('/')
    const notices = page.getByRole('region', { name: 'Domains with wrong DNS records' })
    await notices.getByText('Mail from shop.acme.test is not signed yet.').waitFor()
    await page
      .getByRole('region', { name: 'Resolved in the last 7 days' })
      .getByText(/^CRM has worked again since .*, after failing for 3 h\.$/)
      .waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('is accessible and fits', async () => {
    await open('/?range=7d')
    const values = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
    expect(await faultsOf(page, { type: 'tag', values })).toEqual([])
    expect(await lasting(page, widerThanWindow)).toEqual([])
  })

  test.runIf(takesScreenshots)('is on the screenshots, like an endpoint of that account', async () => {
    mkdirSync(screenshots, { recursive: true })
    const { api } = stage.service.customer
    const { data } = expectStatus(200, await api.get<Page<Webhook>>('/v1/webhooks'))
    // names that look dangerous are for tests
    for (const { id, description } of data) {
      if (!['CRM', 'Billing'].includes(description)) expectStatus(204, await api.delete(`/v1/webhooks/${id}`))
    }
    await page.setViewportSize({ width: 1280, height: 1_100 })
    const take = async (name: string): Promise<void> => {
      await page.waitForLoadState('networkidle')
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.screenshot({ path: new URL(`${name}-${theme}.png`, screenshots).pathname })
      }
    }
    await open('/?range=7d')
    await page
      .getByText(/^before /)
      .first()
      .waitFor()
    await take('overview')
    await visitPage(page, `/endpoints/${webhookId}`)
    await page.getByRole('slider', { name: 'Results, bar by bar' }).waitFor()
    await page.getByText('7 d', { exact: true }).click()
    await page.getByRole('radio', { name: '7 d' }).and(page.locator(':checked')).waitFor()
    await take('endpoint-deliveries')
  })

  test('every endpoint that recovered is listed, however many there are', async () => {
    const { customer } = stage.service
    const more: Webhook[] = []
    for (let n = 1; n <= 5; n++) {
      more.push(
        await customer.newWebhook({ url: stage.receiver.url(`/more/${n}`), description: `More ${n}` }),
      )
    }
    await liveThroughOutage({ ...livedIn, webhookIds: more.map(({ id }) => id), days: 7 })
    await open('/')
    const resolved = page.getByRole('region', { name: 'Resolved in the last 7 days' })
    for (const name of ['CRM', ...more.map(({ description }) => description)]) {
      await resolved
        .getByText(new RegExp(`^${name} has worked again since .*, after failing for 3 h\\.$`))
        .waitFor()
    }
    for (const { id } of more) expectStatus(204, await customer.api.delete(`/v1/webhooks/${id}`))
  })

  // last, because it removes statistics
  test('a range whose time before is not recorded says why, and offers one that has a comparison', async () => {
    await open('/?range=30d')
    await page.getByText('Compared with the 30 days before.').waitFor()
    await forgetBefore({ ...livedIn, days: 20 })
    await open('/')
    await page.getByText(/^Not compared with the 30 days before, because counting started \d+ \w+/).waitFor()
    const figures = page.getByRole('region', { name: 'Email' }).locator('dl')
    expect(await figures.innerText()).not.toContain('before')
    await page.getByRole('link', { name: 'Compare the last 7 days' }).click()
    await page.getByText('Compared with the 7 days before.').waitFor()
    await figures
      .getByText(/^before \d/)
      .first()
      .waitFor()
  })
})
