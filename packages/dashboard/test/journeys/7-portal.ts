import type { Journey } from './journey.ts'

/** A link for the operator's customer, who sees the endpoints without signing in. */
export async function portal({ customer, receiver, path, page, hand, clipboard }: Journey): Promise<void> {
  await customer.newWebhook({ url: receiver.url(path) })
  await page.goto('/operator')
  await hand.click(page.locator(`a[href$="${customer.accountId}"]`).first())
  await hand.click(page.getByRole('button', { name: 'Create portal link' }))
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).first())

  const stranger = await page.context().browser()?.newContext()
  const visit = await stranger?.newPage()
  await visit?.goto(await clipboard())
  await visit?.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await visit
    ?.getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Endpoints/ })
    .click()
  await visit?.getByText(path).first().waitFor()
  await stranger?.close()
}
