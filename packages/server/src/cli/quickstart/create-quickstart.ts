import { calledAs } from '../called-as.ts'
import type { Client } from '@posthorn/client'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../connection.ts'
import { asCustomer } from './as-customer.ts'
import type { Quickstart, QuickstartFile } from './quickstart-file.ts'
import { receiverUrl } from './receiver-url.ts'

/** A URL that every installation allows. Posthorn sends nothing to it, because the account has no events yet. */
const firstUrl = 'https://example.com/webhooks'

/** Creates the account, its API key, and an endpoint for the receiver on this port. */
export async function createQuickstart(
  connection: Connection,
  operator: Client,
  file: QuickstartFile,
  port: number,
): Promise<Quickstart> {
  file.checkWritable()
  const account = await operator.createAccount({ body: { name: 'Quickstart' } })
  // saved before the next request, so that --remove finds the account even if a later step fails
  file.write({ account_id: account.id })
  const { api_key: apiKey } = await operator.createApiKey({
    params: { id: account.id },
    body: { name: 'quickstart', scopes: ['read', 'send', 'ingest', 'keys'] },
  })
  if (apiKey === null) throw notShown('API key')
  const endpoint = await asCustomer(connection, apiKey).createWebhook({
    body: { url: firstUrl, description: 'The receiver of posthorn quickstart' },
  })
  if (endpoint.secret === null) throw notShown('signing secret')
  await operator.permitLoopback({
    params: { id: account.id, webhook_id: endpoint.id },
    body: { url: receiverUrl(port) },
  })
  const made = {
    account_id: account.id,
    api_key: apiKey,
    webhook_id: endpoint.id,
    secret: endpoint.secret,
    port,
  }
  file.write(made)
  return made
}

function notShown(what: string): CommandError {
  return new CommandError(
    'unexpected_answer',
    `the service did not show the ${what}: run ${calledAs()} quickstart --remove, then try again`,
  )
}
