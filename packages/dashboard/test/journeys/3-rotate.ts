import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/** Rotation of a signing secret: create, copy, deploy, wait for proof, promote. No delivery fails. */
export async function rotate({ customer, receiver, path, page, hand, clipboard }: Journey): Promise<void> {
  const { id, secret } = await customer.newWebhook({ url: receiver.url(path), description: 'CRM' })
  receiver.behave(path, { kind: 'verifies', secrets: [secret] })
  await customer.report(3)
  await until('the first events have arrived', () => receiver.acknowledged(path).length === 3)

  await page.goto('/')
  await hand.click(page.locator('main').getByRole('link', { name: 'CRM' }).first())
  await hand.click(page.getByRole('link', { name: 'Signing keys' }))
  await hand.click(page.getByRole('button', { name: 'Generate replacement secret' }))
  await hand.click(page.getByRole('button', { name: 'Copy', exact: true }).first())
  const replacement = await clipboard()
  // the receiver now accepts both secrets
  receiver.behave(path, { kind: 'verifies', secrets: [replacement, secret] })
  await customer.report(12)
  await page.locator('main').getByText('Verified with the new key: 12 of the last 12').waitFor()
  await hand.click(page.getByRole('button', { name: 'Make primary' }))
  await page
    .locator('main')
    .getByText(/Only whsec_\w{4}… signs now/)
    .waitFor()

  receiver.behave(path, { kind: 'verifies', secrets: [replacement] })
  await customer.report(2)
  await until('what only the new secret signs is verified', () => receiver.acknowledged(path).length === 17)
  const deliveries = await until('all attempts are written down', async () => {
    const all = await customer.deliveries(id)
    return all.every(delivery => delivery.attempt_count > 0) ? all : undefined
  })
  if (deliveries.some(delivery => delivery.attempt_count !== 1))
    throw new Error('a delivery failed on the way')
}
