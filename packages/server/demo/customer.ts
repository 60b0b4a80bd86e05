import { type Client, createClient } from '@posthorn/client'
import type { EventType } from '@posthorn/contract'
import type { Receiver } from './receiver.ts'

/** An endpoint with its secret, which the API shows only once. */
export interface Endpoint {
  readonly id: string
  readonly secret: string
  readonly events: readonly EventType[]
}

/** Creates an account with an API key that has every scope. */
export async function newCustomer(service: { url: string; adminToken: string }): Promise<Client> {
  const operator = createClient({ url: service.url, credential: service.adminToken })
  const account = await operator.createAccount({ body: { name: 'Demo' } })
  const key = await operator.createApiKey({
    params: { id: account.id },
    body: { name: 'demo', scopes: ['read', 'send', 'ingest', 'keys'] },
  })
  if (key.api_key === null) throw new Error('the API key was not shown')
  return createClient({ url: service.url, credential: key.api_key })
}

/** Creates an endpoint for a receiver and gives the receiver the secret. */
export async function newEndpoint(
  customer: Client,
  receiver: Receiver,
  events: readonly EventType[],
): Promise<Endpoint> {
  const body = { url: receiver.url, events: [...events] }
  const { id, secret } = await customer.createWebhook({ body })
  if (secret === null) throw new Error('the signing secret was not shown')
  receiver.useSecrets({ 'first key': secret })
  return { id, secret, events }
}
