import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, newCustomer } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

describeInBrowser('a page', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
    await stage.service.customer.newWebhook({ url: stage.receiver.url('/in') })
    await stage.service.customer.report(1)
    const { api } = stage.service.customer
    expectStatus(201, await api.post('/v1/suppressions', { address: 'ann@example.org' }))
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('of a new account says that it is empty and what to do first', async () => {
    const { service } = stage
    const customer = await newCustomer(service.url, service.operator, 10)
    await using visitor = await stage.open(customer.apiKey)
    const { page, complaints } = visitor
    const nobody =
      'No endpoint yet. Add an HTTPS URL, and we send it every bounce, delivery, failure and unsubscribe.'
    expect(await said(page, '/', 'Add endpoint')).toContain(nobody)
    expect(await said(page, '/endpoints', 'Add endpoint')).toContain(nobody)
    expect(await said(page, '/deliveries', 'Add endpoint')).toContain('Nothing sent yet.')
    expect(await said(page, '/events')).toContain('No events yet.')
    expect(await said(page, '/emails')).toContain('No email was sent with POST /v1/emails yet.')
    expect(await said(page, '/suppressions', 'Add suppression')).toContain('No suppressed addresses.')
    expect(await said(page, '/domains', 'Add domain')).toContain('No domain yet.')
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/new') })
    expect(await said(page, `/endpoints/${id}`, 'Send a test event')).toContain('Nothing sent yet.')
    expect(await said(page, `/endpoints/${id}/replays`)).toContain('No replays yet.')
    expect(complaints).toEqual([])
  })

  test.each([
    ['/deliveries?state=exhausted', 'No delivery matches. 1 filter is on.'],
    ['/events?type=email.failed&email=em_nobody', 'No event matches. 2 filters are on.'],
    ['/suppressions?reason=complaint', 'No suppression matches. 1 filter is on.'],
    ['/audit-log?until=2026-01-01T00:00:00Z', 'No change matches. 1 filter is on.'],
  ])('says when its filter matches nothing, and can clear the filter: %s', async (path, words) => {
    await using visitor = await stage.open()
    const { page } = visitor
    expect(await said(page, path, 'Clear')).toContain(words)
    await page.getByRole('button', { name: 'Clear' }).last().click()
    await page.getByRole('table').getByRole('row').nth(1).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('shows the same not-found message for a missing item and for another account’s item', async () => {
    const { service } = stage
    const [own] = await until('something was sent', async () => {
      const { body } = await service.customer.api.get<{ data: { id: string; event_id: string }[] }>(
        '/v1/deliveries',
      )
      return body.data.length > 0 && body.data
    })
    const stranger = await newCustomer(service.url, service.operator, 10)
    await using visitor = await stage.open(stranger.apiKey)
    const { page, complaints } = visitor
    const none = '01kb3vqzxxe1x9v5x7c4d2q7m2'
    for (const path of [
      `/deliveries/dlv_${none}`,
      `/events/evt_${none}`,
      `/replays/rpl_${none}`,
      `/endpoints/wh_${none}`,
      `/endpoints/wh_${none}/keys`,
      `/emails/em_${none}`,
      `/domains/dom_${none}`,
      `/deliveries/${own?.id}`,
      `/events/${own?.event_id}`,
      '/nowhere',
    ]) {
      await page.goto(path)
      await page.getByText('Not found').first().waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('says once what is wrong if every request fails, and loads nothing forever', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await page.route(/\/v1\/(?!sessions?$)/, async route => {
      const json = { status: 500, code: 'internal_error', request_id: 'req_1' }
      await route.fulfill({ status: 500, contentType: 'application/problem+json', json })
    })
    for (const path of ['/', '/endpoints', '/deliveries', '/emails', '/suppressions']) {
      await visit(page, path)
      await page.getByRole('alert').getByText('Something failed on our side.').waitFor()
      expect(await page.getByRole('alert').count(), path).toBe(1)
    }
  })

  test('shows that it is loading and reserves space for the content', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/settings')
    const answers = Promise.withResolvers<void>()
    await page.route(
      '**/v1/{deliveries,events,emails,suppressions,domains,webhooks,audit-log,api-keys}?*',
      async route => {
        await answers.promise
        await route.continue()
      },
    )
    const lists = {
      '/deliveries': 'Deliveries',
      '/events': 'Events',
      '/emails': 'Emails',
      '/suppressions': 'Suppressions',
      '/domains': 'Domains',
      '/endpoints': 'Endpoints',
      '/audit-log': 'Audit log',
      '/api-keys': 'API keys',
    }
    for (const [path, name] of Object.entries(lists)) {
      await page.getByRole('navigation').locator(`a[href="${path}"]`).click()
      // the previous page stays until this one can replace it
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      const place = page.getByRole('status', { name: 'Loading' }).first()
      await place.waitFor()
      expect((await place.boundingBox())?.height).toBeGreaterThan(140)
    }
    answers.resolve()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  })
})

/** The text of a page after loading, with the button or link that it must offer. */
async function said(page: Page, path: string, wayOn?: string): Promise<string> {
  await visit(page, path)
  const main = page.getByRole('main')
  if (wayOn !== undefined) {
    const way = main.getByRole('button', { name: wayOn }).or(main.getByRole('link', { name: wayOn }))
    await way.first().waitFor()
  }
  return await main.innerText()
}
