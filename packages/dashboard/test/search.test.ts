import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, newCustomer } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import { type OpenPage, openPage, startBrowser } from './support/browser.ts'
import { type CustomerReceiver, startCustomerReceiver } from './support/customer-receiver.ts'
import { type DashboardService, startDashboardService } from './support/dashboard-service.ts'

describe('the search', () => {
  let receiver: CustomerReceiver
  let service: DashboardService
  let browser: Awaited<ReturnType<typeof startBrowser>>
  let customer: Customer
  let visit: OpenPage
  let page: Page
  beforeAll(async () => {
    receiver = await startCustomerReceiver()
    service = await startDashboardService({ POSTHORN_RETRY_BASE_SECONDS: '86400' })
    browser = await startBrowser()
    customer = await newCustomer(service.url, service.operator, 10)
    receiver.behave('/in', { kind: 'answers', status: 503 })
    const webhook = await customer.newWebhook({ url: receiver.url('/in') })
    for (const type of ['email.delivered', 'email.unsubscribed'])
      await customer.report(1, { type, data: { email_id: 'ABC-123/4', to: ['ann@example.org'] } })
    await customer.report(1, { data: { email_id: 'em_only', to: ['bo@example.org'] } })
    await until('all have failed', async () => {
      return (await customer.deliveries(webhook.id, '&state=failed')).length === 3
    })
  }, 240_000)
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    visit = await openPage(browser, { url: service.url, credential: customer.apiKey })
    page = visit.page
    await page.goto('/settings')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    return async () => {
      await visit[Symbol.asyncDispose]()
      expect(visit.complaints).toEqual([])
    }
  })

  test('opens the only match at once, and says when there is none', async () => {
    await page.keyboard.press('/')
    await page.keyboard.insertText('"email":"em_only",')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'email.delivered to bo@example.org' }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.insertText('evt_01kb3vqzxxe1x9v5x7c4d2q7m2')
    await page.keyboard.press('Enter')
    await page
      .getByText(/Nothing with this id in the last \d+ days\. Older events are dropped\./)
      .first()
      .waitFor()
  })

  test('finds an endpoint by its URL', async () => {
    await page.keyboard.press('/')
    await page.keyboard.insertText(`${receiver.url('/in')}/`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/endpoints\/wh_/)
  })

  test('a secret that was pasted by mistake is asked of nobody', async () => {
    const asked: string[] = []
    page.on('request', request => asked.push(`${request.url()} ${request.postData()}`))
    await page.keyboard.press('/')
    await page.keyboard.insertText('whsec_0123456789012345678901234567890123456789012')
    await page.keyboard.press('Enter')
    await page.getByText('No id, address or URL in it.', { exact: false }).first().waitFor()
    expect(asked.join(' ')).not.toContain('whsec')
  })
})
