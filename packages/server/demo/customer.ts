import type { EventType } from '@posthorn/contract'
import { callApi } from '../src/cli/call-api.ts'
import type { Connection } from '../src/cli/connection.ts'
import type { Receiver } from './receiver.ts'

/** An endpoint as its owner knows it: with the secret, which the API shows once. */
export interface Endpoint {
  readonly id: string
  readonly secret: string
  readonly events: readonly EventType[]
}

/** An account with an API key that may do everything a customer may. */
export async function newCustomer(service: { url: string; adminToken: string }): Promise<Connection> {
  const operator = { url: service.url, credential: service.adminToken, credentialName: 'the operator' }
  const account = await callApi(operator, 'createAccount', { body: { name: 'Demo' } })
  const key = await callApi(operator, 'createApiKey', {
    params: { id: account.id },
    body: { name: 'demo', scopes: ['read', 'send', 'ingest'] },
  })
  if (key.api_key === null) throw new Error('the API key was not shown')
  return { url: service.url, credential: key.api_key, credentialName: 'the API key' }
}

/** Registers a receiver and gives it the secret. */
export async function newEndpoint(
  customer: Connection,
  receiver: Receiver,
  events: readonly EventType[],
): Promise<Endpoint> {
  const body = { url: receiver.url, events: [...events] }
  const { id, secret } = await callApi(customer, 'createWebhook', { body })
  if (secret === null) throw new Error('the signing secret was not shown')
  receiver.useSecrets({ 'first key': secret })
  return { id, secret, events }
}
