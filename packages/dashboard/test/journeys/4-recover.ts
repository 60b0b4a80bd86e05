import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/** After an outage: a replay sends now what retries would send hours later, and its ledger adds up. */
export async function recover({ customer, receiver, path, page, hand }: Journey): Promise<void> {
  receiver.behave(path, { kind: 'answers', status: 503 })
  const webhook = await customer.newWebhook({ url: receiver.url(path) })
  await customer.report(20)
  await until(
    'all have failed',
    async () => (await customer.deliveries(webhook.id, '&state=failed')).length === 20,
  )
  receiver.behave(path, { kind: 'answers', status: 204 })
  await customer.report(1)
  await until('it is back', () => receiver.acknowledged(path).length > 0)

  await page.goto('/')
  await hand.click(page.getByRole('link', { name: 'Send them now' }))
  await hand.click(page.getByRole('button', { name: /^Replay \d+ deliver/ }))
  await page.getByRole('progressbar').waitFor()

  await until('every delivery has arrived', () => new Set(receiver.acknowledged(path)).size === 21)
  await page
    .getByText(/Done|Replayed/)
    .first()
    .waitFor()
}
