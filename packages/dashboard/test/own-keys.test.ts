import type { ApiKey, ApiKeyCreated, PortalSessionCreated } from '@posthorn/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../server/test/support/api.ts'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { widerThanWindow } from './support/readable.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('the account’s own API keys', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('a customer creates a key with fewer scopes and an end, and revokes it', async () => {
    await using visit = await stage.open()
    const { page, complaints } = visit
    await page.goto('/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('reports')
    await dialog.getByRole('checkbox', { name: /^send/ }).uncheck()
    await dialog.getByLabel('Expires').selectOption('In 30 days')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByLabel('I have saved it').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: /reports/ })
    await row.getByText(/until/).waitFor()
    expect(await keys()).toMatchObject([
      { name: 'reports', scopes: ['read'], created_by: { kind: 'api_key' } },
      {},
    ])

    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByText('It was never used.').waitFor()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await row.getByText('Revoked').waitFor()
    expect((await keys())[0]?.revoked_at).not.toBeNull()
    expect(complaints).toEqual([])
  })

  test('nothing beyond the reader’s own scopes and expiry is offered, and the dialog says why', async () => {
    const limited = await newKey({
      scopes: ['read', 'send', 'keys'],
      expires_at: new Date(Date.now() + 40 * 86_400_000).toISOString(),
    })
    await using visit = await stage.open(limited.api_key)
    const { page } = visit
    await page.goto('/api-keys')
    // the first key has the scope ingest
    await page.getByRole('row', { name: /Operator only/ }).waitFor()
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    const ingest = dialog.getByRole('checkbox', { name: /^ingest/ })
    expect(await ingest.isDisabled()).toBe(true)
    await dialog.getByText('Not offered, because your key does not have it.').waitFor()
    expect(await dialog.getByLabel('Expires').locator('option').allInnerTexts()).toEqual([
      'As late as possible',
      'In 30 days',
    ])
    await dialog.getByText(/at the latest: your own key expires then/).waitFor()
    await dialog.getByLabel('Name').fill('short')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor()
    expect((await keys())[0]).toMatchObject({ name: 'short', expires_at: limited.expires_at })
  })

  test('to revoke the own key, the reader types its name, learns what follows, and is signed out', async () => {
    const parent = await newKey({ name: 'parent', scopes: ['read', 'send', 'keys'] })
    const child = await fetch(`${stage.service.url}/v1/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${parent.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'child', scopes: ['read'] }),
    })
    expect(child.status).toBe(201)
    await using visit = await stage.open(parent.api_key)
    const { page } = visit
    await page.goto('/api-keys')
    await page
      .getByRole('row', { name: /parent.*You use this key/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You are signed in with this key').waitFor()
    await dialog.getByText('It created a key that keeps working: child.').waitFor()
    const button = dialog.getByRole('button', { name: 'Revoke key' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Type parent').fill('parent')
    await button.click()
    await page.getByRole('dialog', { name: /session ended/i }).waitFor()
  })

  test('a key without the scope keys sees the keys and whom to ask', async () => {
    await using visit = await stage.open(await stage.service.keyWith(['read', 'send']))
    const { page } = visit
    await page.goto('/api-keys')
    await page.getByText('Ask a colleague whose key has them').waitFor()
    expect(await page.getByRole('button', { name: /^(Create|Revoke)/ }).count()).toBe(0)
  })

  test('a portal link that allows it opens the page, and its keys end with the session', async () => {
    const { operator, customer } = stage.service
    const body = { account_id: customer.accountId, scopes: ['read', 'send', 'keys'] }
    const link = expectStatus(201, await operator.post<PortalSessionCreated>('/v1/portal-sessions', body))
    await using visit = await stage.open(null)
    const { page, complaints } = visit
    await page.goto(link.url ?? '')
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Not offered, because your portal link does not have it.').waitFor()
    await dialog.getByText(/your portal link allows no later date/).waitFor()
    await dialog.getByLabel('Name').fill('from the portal')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor()
    expect((await keys())[0]).toMatchObject({
      expires_at: link.expires_at,
      created_by: { kind: 'portal_session', portal_session_id: link.id },
    })
    expect(complaints).toEqual([])
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('the page and its dialogs are accessible: %s, %i pixels', async (theme, widthPx) => {
    const { api_key: parent } = await newKey({ name: `of ${theme}`, scopes: ['read', 'send', 'keys'] })
    await using visit = await stage.open(parent, { theme, widthPx })
    const { page, complaints } = visit
    await page.goto('/api-keys')
    const own = page.getByRole('row', { name: /You use this key/ })
    await own.waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate(widerThanWindow)).toEqual([])
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('looked at')
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByLabel('I have saved it').check()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await own.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByText('looked at').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('the page says what went wrong if the service refuses', async () => {
    await using visit = await stage.open()
    const { page } = visit
    await page.goto('/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await offline(page, async () => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('x')
      await dialog.getByRole('button', { name: 'Create API key' }).click()
      await dialog.getByRole('alert').waitFor()
    })
  })

  async function keys(): Promise<ApiKey[]> {
    const { body } = await stage.service.customer.api.get<{ data: ApiKey[] }>('/v1/api-keys')
    return body.data
  }

  async function newKey(json: object): Promise<ApiKeyCreated & { api_key: string }> {
    const { operator, customer } = stage.service
    const path = `/v1/accounts/${customer.accountId}/api-keys`
    return expectStatus(
      201,
      await operator.post<ApiKeyCreated & { api_key: string }>(path, { name: 'limited', ...json }),
    )
  }

  async function offline(page: Page, work: () => Promise<void>): Promise<void> {
    await page.context().setOffline(true)
    await work()
    await page.context().setOffline(false)
  }
})
