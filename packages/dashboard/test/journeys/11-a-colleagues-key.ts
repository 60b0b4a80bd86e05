import { expect } from 'vitest'
import type { Journey } from './journey.ts'

/** A new colleague needs an API key: find the page, create a key, copy it, and use it. */
export async function colleaguesKey({ service, page, hand, clipboard }: Journey): Promise<void> {
  await page.goto('/')
  await hand.click(page.getByRole('link', { name: 'API keys' }))
  await hand.click(page.getByRole('button', { name: 'Create API key' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ada')
  await hand.click(dialog.getByRole('button', { name: 'Create API key' }))
  await hand.click(dialog.getByRole('button', { name: 'Copy', exact: true }))
  const authorization = `Bearer ${await clipboard()}`
  const answer = await fetch(`${service.url}/v1/webhooks`, { headers: { authorization } })
  expect(answer.status).toBe(200)
}
