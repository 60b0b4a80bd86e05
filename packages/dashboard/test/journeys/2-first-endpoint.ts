import type { Journey } from './journey.ts'

/** The first endpoint: add it, copy the secret to the server, and send a test event that the server verifies. */
export async function firstEndpoint({ receiver, path, page, hand, clipboard }: Journey): Promise<void> {
  await page.goto('/')
  await hand.click(page.getByRole('link', { name: 'Add endpoint' }).first())
  await page.getByLabel('URL').fill(receiver.url(path))
  await hand.click(page.getByRole('button', { name: 'Create' }))
  const dialog = page.getByRole('dialog', { name: 'Save the signing secret' })
  await hand.click(dialog.getByRole('button', { name: 'Copy', exact: true }).first())
  const secret = await clipboard()
  receiver.behave(path, { kind: 'verifies', secrets: [secret] })
  await hand.click(dialog.getByRole('button', { name: 'Send test event' }))
  await dialog.getByText('Delivered').waitFor()
}
