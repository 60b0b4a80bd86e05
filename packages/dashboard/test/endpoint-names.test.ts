import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../server/test/support/until.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

describeInBrowser('an endpoint with a description', () => {
  let stage: Stage
  let id: string
  let url: string
  beforeAll(async () => {
    stage = await startStage()
    const { customer } = stage.service
    url = stage.receiver.url('/hooks?tenant=acme')
    stage.receiver.behave('/hooks?tenant=acme', { kind: 'answers', status: 204 })
    id = (await customer.newWebhook({ url, description: 'CRM in production' })).id
    await customer.newWebhook({ url: stage.receiver.url('/other') })
    await customer.report(3)
    await until('the statistics count three', async () => {
      const path = `/v1/webhooks/${id}/health`
      const { body } = await customer.api.get<{ last_day: { delivered: number } }>(path)
      return body.last_day.delivered === 3
    })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('is called by it in lists, titles, filters, breadcrumbs and the audit log', async () => {
    await using opened = await stage.open()
    const { page } = opened
    await visit(page, '/endpoints')
    const row = page.getByRole('row').filter({ hasText: 'CRM in production' })
    await row.getByText(url, { exact: true }).waitFor()
    await row.getByText('3 of 3').waitFor()
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'CRM in production' }).waitFor()
    await page.getByText(url, { exact: true }).waitFor()
    expect(await page.title()).toContain('CRM in production · Deliveries')

    await visit(page, `/deliveries?endpoint=${id}`)
    await page.getByRole('button', { name: 'Remove filter CRM in production' }).waitFor()
    await page.getByRole('cell', { name: 'CRM in production' }).first().waitFor()
    await page.locator('[data-row-link]').first().click()
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    await breadcrumb.getByRole('link', { name: 'CRM in production' }).waitFor()

    await visit(page, '/audit-log')
    await page.getByText('created the endpoint CRM in production (127.0.0.1').waitFor()
  })

  test('shows its last day first, and the links of its figures and chart show only its deliveries', async () => {
    await using opened = await stage.open()
    const { page } = opened
    await visit(page, `/endpoints/${id}`)
    const figures = page.locator('dl[aria-label="Last 24 hours"]')
    await figures.getByText('3 of 3 attempts').waitFor()
    expect(await figures.locator('dt').allInnerTexts()).toEqual([
      'Webhooks delivered',
      'Success rate',
      'Answer time, p50',
      'Waiting now',
    ])
    const legend = page.getByRole('list', { name: 'Legend' })
    await legend.getByRole('link', { name: '3', exact: true }).click()
    await page.waitForURL(`**/deliveries?*endpoint=${id}*`)
  })
})
