import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCustomer } from '../../server/test/support/api.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('the first steps', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('are marked as done while the reader watches, and lead to the overview', async () => {
    const { service } = stage
    const customer = await newCustomer(service.url, service.operator, 10)
    await using visitor = await stage.open(customer.apiKey)
    const { page, complaints } = visitor
    await page.goto('/')
    const steps = page.getByRole('region', { name: 'First steps' })
    const step = (title: string, mark: string) =>
      steps.getByRole('listitem').filter({ hasText: title }).getByText(mark, { exact: true })
    await step('Create an endpoint', 'Now').waitFor()
    await step('Report an outcome', 'Later').waitFor()

    stage.receiver.behave('/first', { kind: 'answers', status: 503, headers: { 'retry-after': '3600' } })
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/first') })
    await step('Create an endpoint', 'Done').waitFor()
    await step('Report an outcome', 'Now').waitFor()
    await steps.getByLabel('Command that reports an outcome').waitFor()

    await customer.report(1)
    await step('Report an outcome', 'Done').waitFor()
    await step('See it delivered', 'Now').waitFor()

    stage.receiver.behave('/first', { kind: 'answers', status: 204 })
    await customer.api.post(`/v1/webhooks/${id}/test`, { type: 'email.delivered' })
    await step('See it delivered', 'Done').waitFor()
    await steps.getByRole('button', { name: 'Show the overview' }).click()
    await page.getByRole('slider', { name: 'Results, bar by bar' }).waitFor()
    expect(complaints).toEqual([])
  })
})
