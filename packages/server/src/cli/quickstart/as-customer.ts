import type { Client } from '@posthorn/client'
import type { Connection } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

/** The same service as the account of quickstart sees it. */
export function asCustomer({ url }: Connection, apiKey: string): Client {
  return serviceClient({ url, credential: apiKey, credentialName: 'the API key of quickstart' })
}
