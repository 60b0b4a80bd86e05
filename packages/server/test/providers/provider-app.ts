import type { ProviderKind, ProviderSource, System } from '@posthorn/contract'
import { expect } from 'vitest'
import type { Probe } from '../../src/context.ts'
import { type Answer, call, newCustomer, operatorToken } from '../http/test-app.ts'
import { useSourceApp } from '../sources/source-app.ts'
import type { Backend } from '../support/test-database.ts'
import { until } from '../support/until.ts'

/** What a provider sends. */
export interface Webhook {
  readonly headers?: Record<string, string>
  readonly payload: string | Buffer
}

/** A service whose customers have sources of one provider. */
export function useProviderApp(backend: Backend, kind: ProviderKind, key: string, get?: Probe['get']) {
  const { app, customer, sent, event } = useSourceApp(backend, get)
  const newSource = async (accountId = customer().accountId, ofKey = key, ofKind = kind) => {
    const { status, body } = await call(app(), 'POST', `/v1/accounts/${accountId}/sources`, {
      as: operatorToken,
      json: { kind: ofKind, key: ofKey },
    })
    expect([status, body.errors]).toEqual([201, undefined])
    const url = String(body['report_url']).replace(app().ctx.outside.publicUrl(), '')
    return { id: body.id, accountId, url }
  }
  const send = async (url: string, { headers = {}, payload }: Webhook): Promise<Answer> =>
    await call(app(), 'POST', url, { headers, payload })
  return {
    app,
    customer,
    sent,
    newCustomer: async () => await newCustomer(app()),
    newSource,
    send,
    /** Sends it to a source, by default a new one, and returns the new events and why reports were ignored. */
    report: async (webhook: Webhook, url?: string) => {
      const answer = await send(url ?? (await newSource()).url, webhook)
      expect([answer.status, answer.body['detail']]).toEqual([200, undefined])
      const { events, ignored } = answer.body as unknown as {
        events: string[]
        ignored: Array<{ reason: string }>
      }
      const found = await Promise.all(events.map(async id => await event(id)))
      return { events: found, ignored: ignored.map(({ reason }) => reason) }
    },
    /** The source, when its counts are these. */
    counted: async (source: { id: string; accountId: string }, counts: Partial<ProviderSource>) =>
      await until('the requests are counted', async () => {
        const { body } = await call(app(), 'GET', `/v1/accounts/${source.accountId}/sources`, {
          as: operatorToken,
        })
        const found = (body['data'] as ProviderSource[]).find(({ id }) => id === source.id)
        const isCounted = Object.entries(counts).every(
          ([name, count]) => found?.[name as keyof ProviderSource] === count,
        )
        return isCounted ? found : undefined
      }),
    system: async (): Promise<System> =>
      (await call(app(), 'GET', '/v1/system', { as: operatorToken })).body as unknown as System,
  }
}
