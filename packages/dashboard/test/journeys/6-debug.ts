import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/** "All my signatures fail": the debugger, filled from a delivery, says which rule fails and why. */
export async function debug({ customer, receiver, path, page, hand }: Journey): Promise<void> {
  const webhook = await customer.newWebhook({ url: receiver.url(path) })
  const cutOff = webhook.secret.replace(/^whsec_/, '')
  receiver.behave(path, { kind: 'answers', status: 401, body: 'signature mismatch' })
  await customer.report(1)
  const delivery = await until(
    'it has failed',
    async () => (await customer.deliveries(webhook.id, '&state=failed'))[0],
  )

  await page.goto('/deliveries')
  await hand.click(page.getByRole('table').getByRole('link').first())
  await page.getByRole('region', { name: 'Verdict' }).getByText(/401/).first().waitFor()
  await hand.click(page.getByRole('link', { name: 'Open in debugger' }).first())
  await page.waitForURL(url => url.searchParams.get('delivery') === delivery.id)
  // the fields appear once the page has loaded everything
  const secret = page.getByLabel('Secret', { exact: true })
  await secret.waitFor()
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await secret.fill(cutOff)
  await page
    .getByRole('region', { name: 'Why it fails' })
    .getByText(/whsec_ was cut off/)
    .waitFor()
  if (requests.length > 0)
    throw new Error(`the page asked for ${requests.join(', ')} while a secret was in it`)
}
