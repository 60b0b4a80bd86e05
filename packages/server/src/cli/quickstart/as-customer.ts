import type { Client } from '@posthorn/client'
import type { Connection } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

/** Connects to the same service with the API key of the quickstart account. */
export function asCustomer({ url }: Connection, apiKey: string): Client {
  return serviceClient({ url, credential: apiKey, credentialName: 'the API key of quickstart' })
}
