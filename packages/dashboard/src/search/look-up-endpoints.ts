import type { Webhook } from '@posthorn/contract'
import { endpointName } from '../words/endpoint-name.ts'
import type { LookUp } from './look-up.ts'
import type { Match } from './match.ts'
import { endpointMatch } from './places.ts'

const pageSize = 250

export async function findEndpoint({ call, signal }: LookUp, id: string): Promise<Match[]> {
  return [byId(await call('getWebhook', { params: { id }, signal }))]
}

/** Endpoints with this URL, with or without a slash at the end. */
export async function findUrl({ call, signal }: LookUp, url: string): Promise<Match[]> {
  const { data } = await call('listWebhooks', { query: { limit: pageSize }, signal })
  return data.filter(webhook => plain(webhook.url) === plain(url)).map(byId)
}

/** A signing key's id does not name its endpoint, so this searches the keys of every endpoint. */
export async function findSigningKey({ call, signal }: LookUp, keyId: string): Promise<Match[]> {
  const { data } = await call('listWebhooks', { query: { limit: pageSize }, signal })
  for (const webhook of data) {
    const keys = await call('listSigningKeys', {
      params: { id: webhook.id },
      query: { limit: pageSize },
      signal,
    })
    const key = keys.data.find(({ key_id: id }) => id === keyId)
    if (key === undefined) continue
    const title = `Signing key ${key.secret_prefix}…, ${key.state}`
    return [
      {
        group: 'Found by id',
        href: `/endpoints/${webhook.id}/keys`,
        title,
        detail: endpointName(webhook),
        at: key.created_at,
      },
    ]
  }
  return []
}

/** An API key's id does not name its account either. */
export async function findApiKey({ call, signal }: LookUp, keyId: string): Promise<Match[]> {
  const { data } = await call('listAccounts', { query: { limit: pageSize }, signal })
  for (const account of data) {
    const keys = await call('listApiKeys', { params: { id: account.id }, query: { limit: pageSize }, signal })
    const key = keys.data.find(({ id }) => id === keyId)
    if (key === undefined) continue
    const title = `API key ${key.name} of ${account.name}`
    return [
      {
        group: 'Found by id',
        href: `/operator/accounts/${account.id}`,
        title,
        detail: keyId,
        at: key.created_at,
      },
    ]
  }
  return []
}

function byId(webhook: Webhook): Match {
  return { ...endpointMatch(webhook), group: 'Found by id' }
}

function plain(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/$/, '')
}
