import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/** Before a meeting: has the CRM received everything this week, and how fast did it answer? */
export async function isMyEndpointHealthy({ customer, receiver, path, page, hand }: Journey): Promise<void> {
  receiver.behave(path, { kind: 'answers', status: 204 })
  await customer.newWebhook({ url: receiver.url(path), description: 'CRM' })
  await customer.report(12)
  await until('all have arrived', () => receiver.acknowledged(path).length === 12)

  await page.goto('/')
  const endpoints = page.getByRole('region', { name: 'Endpoints' })
  await endpoints.getByText('Healthy').waitFor()
  await endpoints.getByText('100% delivered', { exact: true }).waitFor()
  await endpoints.getByText(/^p95 /).waitFor()
  await hand.click(endpoints.getByRole('link', { name: 'CRM' }))
  await page.getByRole('heading', { name: 'CRM' }).waitFor()
  await hand.choose(page.getByRole('radio', { name: '7 d' }))
  await page
    .getByRole('img', { name: /^Of 12 attempts in the last 7 days, 12 were delivered \(100%\)/ })
    .waitFor()
}
