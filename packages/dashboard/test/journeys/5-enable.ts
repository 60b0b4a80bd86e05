import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/** A disabled endpoint works again: read the reason, run a check, enable it; waiting deliveries arrive. */
export async function enable({ customer, receiver, path, page, hand }: Journey): Promise<void> {
  receiver.behave(path, { kind: 'answers', status: 410 })
  const webhook = await customer.newWebhook({ url: receiver.url(path) })
  await customer.report(1)
  await until('it is disabled', async () => {
    const { body } = await customer.api.get<{ status: string }>(`/v1/webhooks/${webhook.id}`)
    return body.status === 'disabled'
  })
  await customer.report(7)
  receiver.behave(path, { kind: 'verifies', secrets: [webhook.secret] })

  await page.goto('/')
  await hand.click(page.getByRole('link', { name: /See why and enable/ }))
  await hand.click(page.getByRole('button', { name: 'Run check' }).first())
  await page
    .getByText(/refused the forgery/)
    .first()
    .waitFor()
  await hand.click(page.getByRole('button', { name: /^Enable and send 7/ }))
  await until('what waited has arrived', () => receiver.acknowledged(path).length >= 7)
}
