import type { Page, Response } from 'playwright-core'
import type { Stage } from '../support/stage.ts'

/** Where the page creates a secret, and the field of the answer that contains it. */
export interface Making {
  readonly what: string
  readonly as: 'customer' | 'operator'
  readonly field: 'secret' | 'api_key' | 'url'
  readonly make: (page: Page, stage: Stage) => Promise<void>
  readonly done: string
}

export const makings: readonly Making[] = [
  {
    what: 'the secret of a new endpoint',
    as: 'customer',
    field: 'secret',
    done: 'Done',
    make: async (page, { receiver }) => {
      await page.goto('/endpoints/new')
      await page.getByLabel('URL').fill(receiver.url('/new'))
      await page.getByRole('button', { name: 'Create' }).click()
    },
  },
  {
    what: 'a replacement for it',
    as: 'customer',
    field: 'secret',
    done: 'Done, hide it',
    make: async (page, { service, receiver }) => {
      const { id } = await service.customer.newWebhook({ url: receiver.url('/rotated') })
      await page.goto(`/endpoints/${id}/keys`)
      await page.getByRole('button', { name: 'Generate replacement secret' }).click()
    },
  },
  {
    what: 'the secret of notices',
    as: 'customer',
    field: 'secret',
    done: 'Done',
    make: async (page, { receiver }) => {
      await page.goto('/settings')
      await page.getByLabel('Send notices to').fill(receiver.url('/notices'))
      await page.getByRole('button', { name: 'Send notices' }).click()
    },
  },
  {
    what: 'a portal link',
    as: 'operator',
    field: 'url',
    done: 'Done',
    make: async (page, { service }) => {
      await page.goto(`/operator/accounts/${service.customer.accountId}`)
      await page.getByRole('button', { name: 'Create portal link' }).click()
    },
  },
  {
    what: 'an API key of the own account',
    as: 'customer',
    field: 'api_key',
    done: 'Done',
    make: async page => {
      await page.goto('/api-keys')
      await page.getByRole('button', { name: 'Create API key' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('ci')
      await dialog.getByRole('button', { name: 'Create API key' }).click()
    },
  },
  {
    what: 'an API key',
    as: 'operator',
    field: 'api_key',
    done: 'Done',
    make: async (page, { service }) => {
      await page.goto(`/operator/accounts/${service.customer.accountId}`)
      await page.getByRole('button', { name: 'Create API key' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('ci')
      await dialog.getByRole('button', { name: 'Create API key' }).click()
    },
  },
]

/** The secret in the answer that contains it; null for other answers. */
export async function secretIn(answer: Response, field: Making['field']): Promise<string | null> {
  if (!/^(POST|PUT)$/.test(answer.request().method()) || !answer.ok()) return null
  const body = (await answer.json().catch(() => ({}))) as Partial<Record<Making['field'], unknown>>
  const value = body[field]
  const isSecret = typeof value === 'string' && /whsec_|#|phk_/.test(value)
  return isSecret ? value : null
}
