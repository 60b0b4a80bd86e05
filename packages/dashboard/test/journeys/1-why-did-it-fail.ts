import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/**
 * At 3 a.m.: "did you send it, and why did it fail?" Paste any id and press Enter: the reason is the first sentence.
 */
export async function whyDidItFail({ customer, receiver, path, page, hand }: Journey): Promise<void> {
  receiver.behave(path, { kind: 'answers', status: 500, body: 'Error: no such table' })
  const webhook = await customer.newWebhook({ url: receiver.url(path) })
  await customer.report(1)
  const delivery = await until(
    'it has failed',
    async () => (await customer.deliveries(webhook.id, '&state=failed'))[0],
  )

  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.insertText(`level=warn msg="callback missing" delivery=${delivery.id} try=1`)
  await hand.enter()

  await page.getByRole('region', { name: 'Verdict' }).getByText('Your server answered 500.').waitFor()
}
