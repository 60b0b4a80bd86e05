import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../server/test/support/api.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('a session', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('can be renewed on the same page after it ends, without losing form content', async () => {
    await using visit = await stage.open(stage.service.customer.apiKey)
    const { page } = visit
    await page.goto('/settings')
    const url = page.getByLabel('Send notices to')
    await url.fill('http://127.0.0.1:9/notices')
    await signOutElsewhere(page.context())
    await page.getByRole('button', { name: 'Send notices' }).click()

    const dialog = page.getByRole('dialog', { name: 'Your session ended' })
    await dialog.getByLabel('API key').fill(stage.service.customer.apiKey)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await url.inputValue()).toBe('http://127.0.0.1:9/notices')
    await page.getByRole('button', { name: 'Send notices' }).click()
    await page.getByRole('dialog', { name: 'Save the signing secret' }).waitFor()
  })

  test('for another account shows nothing of the previous one', async () => {
    const other = expectStatus(
      201,
      await stage.service.operator.post<{ id: string }>('/v1/accounts', { name: 'Globex' }),
    )
    const { api_key: key } = expectStatus(
      201,
      await stage.service.operator.post<{ api_key: string }>(`/v1/accounts/${other.id}/api-keys`, {
        name: 'globex ci',
        scopes: ['read'],
      }),
    )
    await using visit = await stage.open(stage.service.customer.apiKey)
    const { page } = visit
    await page.goto('/api-keys')
    await page.getByText('test', { exact: true }).first().waitFor()
    await signOutElsewhere(page.context())
    // the audit log's page sends a request
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('table').getByText('globex ci').waitFor()
    expect(await page.getByRole('table').getByText('test', { exact: true }).count()).toBe(0)
  })

  test('is announced two minutes before it ends', async () => {
    await using visit = await stage.open(stage.service.customer.apiKey)
    const { page } = visit
    await page.clock.install()
    await page.goto('/api-keys')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.getByText('Your session ends at').count()).toBe(0)
    // nothing is requested while the page is idle, so the session would end
    await page.context().setOffline(true)
    await page.clock.fastForward('11:58:30')
    await page.getByText('because it has been idle').waitFor()
    await page.context().setOffline(false)
    const asked = page.waitForResponse(answer => answer.url() === `${stage.service.url}/v1/session`)
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    expect((await asked).status()).toBe(200)
  })

  test('ends at sign-out, and the next page asks for an API key', async () => {
    await using visit = await stage.open(stage.service.customer.apiKey)
    const { page } = visit
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Posthorn' }).waitFor()
    await page.goto('/deliveries?state=failed')
    await page.getByLabel('API key').fill(stage.service.customer.apiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(page.url()).toBe(`${stage.service.url}/deliveries?state=failed`)
  })

  test('does not start with an unknown or revoked key, and the page says which it is', async () => {
    await using visit = await stage.open(null)
    const { page } = visit
    await page.goto('/sign-in')
    const field = page.getByLabel('API key')
    await field.fill('phk_nobody')
    await page.keyboard.press('Enter')
    await page.getByText('This credential is unknown.').waitFor()

    const made = expectStatus(
      201,
      await stage.service.operator.post<{ id: string; api_key: string }>(
        `/v1/accounts/${stage.service.customer.accountId}/api-keys`,
        { name: 'gone', scopes: ['read'] },
      ),
    )
    await stage.service.operator.delete(
      `/v1/accounts/${stage.service.customer.accountId}/api-keys/${made.id}`,
    )
    await field.fill(made.api_key)
    await page.keyboard.press('Enter')
    await page.getByText('This API key was revoked.').waitFor()
  })

  /** Like a second tab: the service ends the session without this page. */
  async function signOutElsewhere(context: BrowserContext): Promise<void> {
    const { csrf_token: token } = (await (
      await context.request.get(`${stage.service.url}/v1/session`)
    ).json()) as {
      csrf_token: string
    }
    await context.request.delete(`${stage.service.url}/v1/session`, { headers: { 'x-csrf-token': token } })
  }
})
