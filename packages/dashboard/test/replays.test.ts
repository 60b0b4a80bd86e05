import type { WebhookHealth } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('a replay', () => {
  let stage: Stage
  let webhookId: string
  beforeAll(async () => {
    stage = await startStage()
    stage.receiver.behave('/in', { kind: 'answers', status: 503 })
    const { customer } = stage.service
    const webhook = await customer.newWebhook({ url: stage.receiver.url('/in') })
    webhookId = webhook.id
    await customer.report(200)
    await until('all have failed', async () => {
      return (await customer.deliveries(webhookId, '&state=failed')).length === 200
    })
    stage.receiver.behave('/in', { kind: 'answers', status: 204 })
    expectStatus(200, await customer.api.patch(`/v1/webhooks/${webhookId}`, { rate_limit_per_second: 5 }))
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('shows what it will send, can be stopped, and its counts add up', async () => {
    await using visit = await stage.open()
    const { page, complaints } = visit
    await page.goto(`/endpoints/${webhookId}/replays`)
    await page.getByText('The event ids stay the same, so your server can recognize duplicates.').waitFor()
    await page.getByRole('button', { name: 'Replay 200 deliveries' }).click()
    await page.getByText(/\d+ of 200 · \d+ delivered · 0 failed again · .+ left/).waitFor()

    await page.getByRole('button', { name: 'Stop' }).click()
    const verdict = page.getByRole('region', { name: 'Verdict' })
    const stopped = /Stopped\. (\d+) sent, (\d+) not sent\./
    await verdict.getByText(stopped).waitFor()
    const [, sent = '', left = ''] = stopped.exec(String(await verdict.textContent())) ?? []
    expect(Number(sent) + Number(left)).toBe(200)
    expect(await page.locator('#announcements').textContent()).toMatch(stopped)
    // the button is gone, so the focus must be elsewhere
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')

    await until(
      'what was queued has arrived',
      () => stage.receiver.acknowledged('/in').length >= Number(sent),
    )
    await page.reload()
    await until('the ledger adds up', async () => {
      const counts = await page.getByRole('definition').allTextContents()
      return counts.slice(0, 5).join() === [sent, 0, 0, left, 200].join()
    })
    expect(complaints).toEqual([])
  })

  test('says if there is nothing to replay and offers a wider window', async () => {
    await using visit = await stage.open()
    const { page } = visit
    const since = new Date(Date.now() - 60_000).toISOString()
    await page.goto(
      `/endpoints/${webhookId}/replays?since=${since}&until=${since.replace(/\.\d+Z/, '.999Z')}`,
    )
    await page.getByText('Nothing to replay in this window.').waitFor()
    await page.getByRole('button', { name: 'Widen' }).click()
    await page.getByRole('button', { name: /^Replay \d+ deliveries$/ }).waitFor()
  })

  test('is not offered to a read-only key, but earlier replays are shown', async () => {
    const credential = await stage.service.keyWith(['read'])
    await using visit = await stage.open(credential)
    const { page } = visit
    await page.goto(`/endpoints/${webhookId}/replays`)
    await page.getByRole('table', { name: 'Earlier replays' }).getByRole('row').nth(1).waitFor()
    expect(await page.getByText('Replay deliveries').count()).toBe(0)
  })

  test('of what a 410 gave up is offered beside what waits, until it is done', async () => {
    const { customer } = stage.service
    stage.receiver.behave('/gone', { kind: 'answers', status: 410 })
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/gone') })
    await customer.report(1)
    const health = async () => (await customer.api.get<WebhookHealth>(`/v1/webhooks/${id}/health`)).body
    await until('it is disabled', async () => (await health()).gone === 1)
    await customer.report(2)
    stage.receiver.behave('/gone', { kind: 'answers', status: 204 })

    await using visit = await stage.open()
    const { page, complaints } = visit
    await page.goto(`/endpoints/${id}`)
    await page.getByText(/1 delivery was given up\. Replay them.* 2 events wait\./).waitFor()
    await page.getByRole('button', { name: 'Enable and send 2' }).click()
    await page.getByText('1 delivery was given up when your server answered 410.').waitFor()
    await page.getByRole('link', { name: 'Replay 1 delivery' }).click()
    await page.getByRole('button', { name: 'Replay 1 delivery' }).click()
    await until('all have arrived', () => stage.receiver.acknowledged('/gone').length === 3)
    await page.goto(`/endpoints/${id}`)
    await page.getByRole('region', { name: 'Health' }).waitFor()
    expect((await health()).gone).toBe(0)
    expect(await page.getByText('given up').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
