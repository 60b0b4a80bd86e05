import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../../server/test/support/until.ts'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('the overview', () => {
  let stage: Stage
  let visit: OpenPage
  let page: Page
  beforeAll(async () => {
    stage = await startStage()
    stage.receiver.behave('/good', { kind: 'answers', status: 204 })
    // full jitter can choose a short delay whatever the base, so this option keeps every retry an hour away
    stage.receiver.behave('/bad', { kind: 'answers', status: 503, headers: { 'retry-after': '3600' } })
    await stage.service.customer.newWebhook({ url: stage.receiver.url('/good') })
    const bad = await stage.service.customer.newWebhook({ url: stage.receiver.url('/bad') })
    await stage.service.customer.report(30)
    await until('all are tried', async () => {
      return (await stage.service.customer.deliveries(bad.id, '&state=failed')).length === 30
    })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    visit = await stage.open()
    page = visit.page
    await page.goto('/?range=24h')
    // statistics are rolled up at intervals
    await page.getByText('30 of 60 attempts').waitFor({ timeout: 60_000 })
    return async () => {
      await visit[Symbol.asyncDispose]()
      expect(visit.complaints).toEqual([])
    }
  })

  test('shows in the tab and at the top that an endpoint needs attention, and links there', async () => {
    expect(await page.title()).toBe('(1) Overview · Posthorn')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon-attention.svg')
    const notices = page.getByRole('region', { name: 'What needs attention' })
    await notices.getByText('has been failing for').waitFor()
    await notices.getByRole('link', { name: 'Open' }).click()
    await page.waitForURL(/\/endpoints\/wh_/)
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).innerText()).toBe('Endpoints')
  })

  test('asks for the session once, before its code can, and for nothing twice', async () => {
    await page.goto('/')
    await page.getByRole('figure', { name: 'Outcomes of emails' }).waitFor()
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/v1/'))
        .map(entry => [entry.name, (entry as PerformanceResourceTiming).initiatorType] as const),
    )
    expect(asked.filter(([name]) => name.endsWith('/v1/session'))).toEqual([
      [`${stage.service.url}/v1/session`, 'link'],
    ])
    expect(new Set(asked.map(([name]) => name)).size).toBe(asked.length)
  })

  test('counts what waits, in the list of endpoints and in the legend', async () => {
    await page.getByText('30 waiting', { exact: true }).waitFor()
    await page.getByText('Pending now 30', { exact: true }).waitFor()
  })

  test('says beside it which account this is, and with which key', async () => {
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    await sidebar.getByText('Acme', { exact: true }).waitFor()
    await sidebar.getByText('Key “test”', { exact: true }).waitFor()
  })

  test('arrow keys move along the bars of a chart, and Enter opens the deliveries behind them', async () => {
    const bars = page.getByRole('slider', { name: 'Results, bar by bar' })
    await bars.focus()
    await page.keyboard.press('End')
    const newest = await bars.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowLeft')
    const before = await bars.getAttribute('aria-valuetext')
    // a new bucket may have started meanwhile
    expect([newest, before].join('\n')).toMatch(/30 delivered, 30 failed, 0 exhausted/)
    expect(newest).toMatch(/, so far$/)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/deliveries\?since=/)
    await page.getByRole('table').getByRole('row').nth(1).waitFor()
  })

  test('every chart is named by a sentence, and its numbers can be read as a table', async () => {
    await page
      .getByRole('img', { name: /^Of 60 attempts in the last 24 hours, 30 were delivered \(50%\)/ })
      .waitFor()
    await page.getByRole('img', { name: /^In the last 24 hours half of all answers took at most/ }).waitFor()
    await page
      .getByRole('list', { name: /^30 attempts failed in the last 24 hours, all of them: / })
      .waitFor()
    await page.getByRole('button', { name: 'Show as table: Deliveries by result' }).click()
    const told = await page.getByRole('table').getByRole('row').allInnerTexts()
    expect(
      told.map(row =>
        row
          .match(/\d+(?=\s|$)/g)
          ?.slice(-3)
          .join(),
      ),
    ).toContain('30,30,0')
  })

  test('a new account starts with the last hour, and its charts with the first record', async () => {
    await page.goto('/')
    await page.getByRole('img', { name: /^Of 30 emails in the last hour, 30 were delivered/ }).waitFor()
    expect(await page.getByRole('radio', { name: '1 h' }).isChecked()).toBe(true)
    const minutes = await page
      .getByRole('slider', { name: 'Outcomes, bar by bar' })
      .getAttribute('aria-valuemax')
    expect(Number(minutes)).toBeLessThan(10)
    await page.getByText(/^Not compared with the hour before, because counting started .*\d\d:\d\d/).waitFor()
  })

  test('the range is kept in the URL, and the time zone survives a reload', async () => {
    await page.getByText('7 d', { exact: true }).click()
    await page.waitForURL('**/?range=7d')
    await page.reload()
    expect(await page.getByRole('radio', { name: '7 d' }).isChecked()).toBe(true)
    await page.getByLabel('Time zone').selectOption('utc')
    await page.reload()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('utc')
  })
})
