import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import { eventBody } from '../src/format/event-body.ts'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('deliveries', () => {
  let stage: Stage
  let customer: Customer
  let visit: OpenPage
  let page: Page
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    customer = await newCustomer(stage.service.url, stage.service.operator, 10)
    visit = await stage.open(customer.apiKey)
    page = visit.page
    return async () => {
      await visit[Symbol.asyncDispose]()
      expect(visit.complaints).toEqual([])
    }
  })

  test('the + beside a value filters by it; going back refocuses the row, then removes the filter', async () => {
    await failing(60, [{ type: 'email.unsubscribed' }])
    await page.goto('/deliveries')
    const rows = page.getByRole('row')
    await until('50 are shown', async () => (await rows.count()) === 51)
    const row = rows.filter({ hasText: 'email.unsubscribed' })
    await row.hover()
    await row.getByRole('button', { name: 'Only email.unsubscribed' }).click()
    await until('one is left', async () => (await rows.count()) === 2)
    expect(new URL(page.url()).searchParams.get('type')).toBe('email.unsubscribed')
    await page.getByRole('table').getByRole('link').click()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()

    await page.goBack()
    await until('one is left', async () => (await rows.count()) === 2)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('email.unsubscribed')
    await page.goBack()
    await until('all are back', async () => (await rows.count()) === 51)
    await page.getByRole('button', { name: 'Load older' }).click()
    await until('older ones follow', async () => (await rows.count()) === 62)
  })

  test('new rows appear only on request and never push the others down', async () => {
    await failing(2)
    await page.goto('/deliveries')
    const rows = page.getByRole('row')
    await until('both are shown', async () => (await rows.count()) === 3)
    await customer.report(2)
    const news = page.getByRole('button', { name: '2 new · show' })
    await news.waitFor()
    expect(await rows.count()).toBe(3)
    await news.click()
    await until('all four are shown', async () => (await rows.count()) === 5)
  })

  test('opening the list requests it once', async () => {
    await failing(2)
    const asked: string[] = []
    page.on('request', request => {
      if (request.url().includes('/v1/deliveries')) asked.push(request.url())
    })
    await page.goto('/deliveries')
    await until('both are shown', async () => (await page.getByRole('row').count()) === 3)
    await page.waitForLoadState('networkidle')
    expect(asked).toHaveLength(1)
  })

  test('an empty result says how many filters are on and can be cleared', async () => {
    await failing(1)
    await page.goto('/deliveries?state=delivered&type=email.bounced')
    await page.getByText('No delivery matches. 2 filters are on.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).last().click()
    await until('it is shown', async () => (await page.getByRole('row').count()) === 2)
    expect(new URL(page.url()).search).toBe('')
  })

  test('Retry now shows its result; a delivered event is sent again only after confirmation', async () => {
    const { delivery, path } = await failing(1)
    await page.goto(`/deliveries/${delivery.id}`)
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('Failed again: Your server answered 500.').first().waitFor()
    stage.receiver.behave(path, { kind: 'answers', status: 200, body: 'thanks' })
    await page.keyboard.press('r')
    await page
      .getByText(/^Tried again: 200 in /)
      .first()
      .waitFor()
    await until('the tab says so', async () => (await page.title()).startsWith('✓ Delivered'))

    await page.getByRole('button', { name: 'Retry now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send it again?' })
    await dialog.getByText('It keeps its event id.').waitFor()
    await dialog.getByRole('button', { name: 'Send it again' }).click()
    await until('it arrived twice', () => stage.receiver.acknowledged(path).length === 2)
  })

  test('a missing sequence number is found on its endpoint and sent again from there', async () => {
    const { id, path } = await failing(3)
    stage.receiver.behave(path, { kind: 'answers', status: 204 })
    await page.goto(`/endpoints/${id}`)
    await page.getByRole('textbox', { name: 'Sequence number' }).fill('#2')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '#2 email.delivered' }).waitFor()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page
      .getByText(/^Tried again: 204 in /)
      .first()
      .waitFor()
    expect(stage.receiver.acknowledged(path)).toHaveLength(1)
  })

  test('Retry now of what waits for a disabled endpoint offers to enable it', async () => {
    const { delivery, id, path } = await failing(1)
    expectStatus(200, await customer.api.patch(`/v1/webhooks/${id}`, { enabled: false }))
    stage.receiver.behave(path, { kind: 'answers', status: 200 })
    await page.goto(`/deliveries/${delivery.id}`)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('It waits for the endpoint, which is disabled. Nothing is lost.').waitFor()
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enable and send 1' }).click()
    await page
      .getByText(/^Tried again: 200 in /)
      .first()
      .waitFor()
  })

  test('a delivery behind a rate limit says so first, and the list says it instead of a time in the past', async () => {
    stage.receiver.behave('/slow', { kind: 'answers', status: 204 })
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/slow'), rate_limit_per_second: 1 })
    await customer.report(300)
    const newest = await until('the newest waits for the limit', async () => {
      const [one] = await customer.deliveries(id)
      return one?.waiting_for?.reason === 'rate_limit' && one
    })
    await page.goto('/deliveries?state=pending')
    const row = page.getByRole('row').nth(1)
    await row.getByText('rate limit').waitFor()
    await page.goto(`/deliveries/${newest.id}`)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('It waits for the rate limit of the endpoint.').waitFor()
    await verdict.getByText(/\d+ deliveries go first\./).waitFor()
    await verdict.getByText(/We expect to send it .*\(in \d/).waitFor()
  })

  test('a printed delivery shows verdict, UTC times and hashes, without buttons or signatures', async () => {
    const { delivery } = await failing(1)
    await page.goto(`/deliveries/${delivery.id}`)
    await page.getByText('"type"').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const paper = await page.getByRole('article', { name: 'Evidence' }).innerText()
    const event = expectStatus(
      200,
      await customer.api.get<Parameters<typeof eventBody>[0]>(`/v1/events/${delivery.event_id}`),
    )
    expect(paper).toContain('Failed: Your server answered 500.')
    expect(paper).toContain(createHash('sha256').update(eventBody(event)).digest('hex'))
    expect(paper).toContain(createHash('sha256').update('<b>no table</b>').digest('hex'))
    expect(paper).toMatch(/\d\d:\d\d:\d\d\.\d{3} UTC/)
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    expect(paper).not.toContain('v1=')
  })

  test('a response body is shown as plain text, and the request can be copied as curl', async () => {
    const { delivery } = await failing(1)
    await page.goto(`/deliveries/${delivery.id}`)
    await page.getByRole('region', { name: 'body of the answer' }).getByText('<b>no table</b>').waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied.').waitFor()
    const command = await page.evaluate(async () => await navigator.clipboard.readText())
    expect(command).toContain(`--header 'X-Service-Delivery-Id: ${delivery.id}'`)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy as curl')
  })

  let paths = 0

  /** An endpoint whose deliveries have all failed once, with the newest of them. */
  async function failing(count: number, others: readonly Record<string, unknown>[] = []) {
    const path = `/failing-${++paths}`
    stage.receiver.behave(path, { kind: 'answers', status: 500, body: '<b>no table</b>' })
    const { id } = await customer.newWebhook({ url: stage.receiver.url(path) })
    await customer.report(count)
    for (const input of others) {
      await customer.report(1, { data: { email_id: 'em_other', to: ['cy@example.org'] }, ...input })
    }
    const all = await until('all have failed', async () => {
      const failed = await customer.deliveries(id, '&state=failed')
      return failed.length === count + others.length && failed
    })
    const [delivery] = all
    if (delivery === undefined) throw new Error('no delivery')
    return { id, path, delivery }
  }
})
