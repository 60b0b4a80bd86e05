import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../../server/test/support/until.ts'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { noteShifts } from './support/layout-shifts.ts'
import { type Stage, startStage } from './support/stage.ts'
import { hasLoaded, visit } from './support/visit.ts'

describeInBrowser('whoever leaves and comes back', () => {
  let stage: Stage
  let webhookId: string
  let visitor: OpenPage
  let page: Page
  beforeAll(async () => {
    stage = await startStage()
    const { customer } = stage.service
    stage.receiver.behave('/in', { kind: 'answers', status: 500 })
    webhookId = (await customer.newWebhook({ url: stage.receiver.url('/in') })).id
    await customer.newWebhook({ url: stage.receiver.url('/other'), events: ['email.bounced'] })
    await customer.report(120)
    await customer.report(3, { type: 'email.unsubscribed' })
    await until('all were tried', async () => {
      const failed = await customer.deliveries(webhookId, '&state=failed')
      return failed.length === 123
    })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    visitor = await stage.open()
    page = visitor.page
    return async () => {
      await visitor[Symbol.asyncDispose]()
      expect(visitor.complaints).toEqual([])
    }
  })

  test('finds the filters of the deliveries unchanged, also after a reload', async () => {
    await visit(page, '/deliveries')
    await page.getByText('Not delivered', { exact: true }).click()
    await page.getByRole('button', { name: 'Type', exact: true }).click()
    await page.getByRole('checkbox', { name: 'email.unsubscribed' }).check()
    await page.getByRole('button', { name: 'Time', exact: true }).click()
    await page.getByRole('button', { name: 'Last 24 h' }).click()
    const shows = async (): Promise<void> => {
      await until('three are shown', async () => (await rowsOf(page).count()) === 3)
      expect(await page.getByRole('radio', { name: 'Not delivered' }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Remove filter email.unsubscribed' }).waitFor()
      await page.getByRole('button', { name: /^Remove filter since/ }).waitFor()
    }
    await shows()
    await isKept(shows)
  })

  test('finds the filters of the events unchanged, also after a reload', async () => {
    await visit(page, '/events')
    await page.getByRole('button', { name: 'Type', exact: true }).click()
    await page.getByRole('checkbox', { name: 'email.unsubscribed' }).check()
    const shows = async (): Promise<void> => {
      await until('three are shown', async () => (await rowsOf(page).count()) === 3)
      await page.getByRole('button', { name: 'Remove filter email.unsubscribed' }).waitFor()
    }
    await shows()
    await isKept(shows)
  })

  test('finds the filters of the endpoints unchanged, also after a reload', async () => {
    await visit(page, '/endpoints')
    await page.getByRole('radio', { name: /^All/ }).waitFor()
    await page.getByRole('searchbox', { name: 'URL or description' }).fill('OTHER')
    const shows = async (): Promise<void> => {
      await until('one is shown', async () => (await rowsOf(page).count()) === 1)
      expect(await page.getByRole('searchbox', { name: 'URL or description' }).inputValue()).toBe('OTHER')
    }
    await shows()
    await isKept(shows)
  })

  test('finds the filters of the audit log unchanged, including the time filter', async () => {
    await visit(page, '/audit-log')
    await page.getByText('Endpoints', { exact: true }).last().click()
    await page.getByRole('button', { name: 'Time', exact: true }).click()
    await page.getByRole('button', { name: 'Last 1 h' }).click()
    await page.waitForURL(/since=/)
    await page.keyboard.press('Escape')
    const shows = async (): Promise<void> => {
      await until('both endpoints are shown', async () => (await rowsOf(page).count()) === 2)
      expect(await page.getByRole('radio', { name: 'Endpoints' }).isChecked()).toBe(true)
      await page.getByRole('button', { name: /^Remove filter: since/ }).waitFor()
      expect(await page.getByRole('button', { name: 'Time (1)' }).count()).toBe(1)
    }
    await shows()
    await page.getByRole('link', { name: 'Open the endpoint' }).first().click()
    await page.waitForURL(/\/endpoints\/wh_/)
    await page.goBack()
    await shows()
    await page.reload()
    await shows()
  })

  test('returns to the same row, even if it is far down and was loaded later', async () => {
    await visit(page, '/deliveries')
    for (const shown of [100, 123]) {
      await page.getByRole('button', { name: 'Load older' }).click()
      await until(`${shown} are shown`, async () => (await rowsOf(page).count()) === shown)
    }
    const row = rowsOf(page).nth(110)
    await row.hover()
    const before = await row.boundingBox()
    await row.click()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)

    await page.goBack()
    await until('the row has the focus', async () => {
      return await row.getByRole('link').evaluate(link => link === document.activeElement)
    })
    await until('it stands where it stood', async () => {
      return Math.abs(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 0)) < 2
    })
    expect(await row.locator('[data-opened]').count()).toBe(1)
    expect(await rowsOf(page).count()).toBe(123)
  })

  test.each(['/deliveries', '/events', '/endpoints'])('can open rows of %s in new tabs', async path => {
    await visit(page, path)
    const row = rowsOf(page).first()
    const href = await row.getByRole('link').getAttribute('href')
    const opening = page.context().waitForEvent('page')
    await row.click({ button: 'middle' })
    const tab = await opening
    await hasLoaded(tab)
    expect(new URL(tab.url()).pathname).toBe(href)
    expect(href).toMatch(/\/(dlv|evt|wh)_/)
    expect(new URL(page.url()).pathname).toBe(path)
  })

  test.each([1280, 390])('sees no noticeable layout shift while lists load: %i px', async widthPx => {
    await using other = await stage.open(undefined, { widthPx })
    await other.page.addInitScript(noteShifts)
    const found: string[] = []
    for (const path of [
      '/endpoints',
      '/deliveries',
      `/endpoints/${webhookId}`,
      '/events',
      '/audit-log',
      '/api-keys',
    ]) {
      await visit(other.page, path)
      await rowsOf(other.page).first().waitFor()
      await other.page.waitForLoadState('networkidle')
      const { sum, of } = await other.page.evaluate(() => window.shifts)
      if (sum > 0.02) found.push(`${path}: ${sum.toFixed(3)} ${of.join(', ')}`)
    }
    expect(found).toEqual([])
  })

  /** Opens a row, goes back, and opens it again. */
  async function isKept(shows: () => Promise<void>): Promise<void> {
    const address = page.url()
    await rowsOf(page).first().click()
    await page.waitForURL(url => url.href !== address)
    await hasLoaded(page)
    await page.goBack()
    await shows()
    expect(page.url()).toBe(address)
    await page.reload()
    await shows()
    expect(page.url()).toBe(address)
  }
})

function rowsOf(page: Page) {
  return page.getByRole('rowgroup').getByRole('row')
}
