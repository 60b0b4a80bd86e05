import { calledAs } from '../called-as.ts'
import { ApiProblem, type Client } from '@posthorn/client'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../connection.ts'
import { asCustomer } from './as-customer.ts'
import type { Quickstart, QuickstartFile } from './quickstart-file.ts'
import { receiverUrl } from './receiver-url.ts'

/**
 * The result of an earlier quickstart, if it still exists. Removes an account that was left incomplete.
 * @throws CommandError if someone has changed the endpoint since
 */
export async function existingQuickstart(
  connection: Connection,
  operator: Client,
  file: QuickstartFile,
): Promise<Quickstart | null> {
  const made = file.read()
  if (made === null) return null
  const isComplete = 'api_key' in made
  const account = { params: { id: made.account_id } }
  const exists = isComplete ? operator.getAccount(account) : operator.deleteAccount(account)
  if (!(await orNull(exists.then(() => true))) || !isComplete) {
    file.remove()
    return null
  }
  const customer = asCustomer(connection, made.api_key)
  const endpoint = await orNull(customer.getWebhook({ params: { id: made.webhook_id } }))
  if (endpoint?.url === receiverUrl(made.port) && endpoint.status === 'enabled') return made
  throw new CommandError(
    'quickstart_changed',
    `the endpoint ${made.webhook_id} was deleted or disabled, or its URL was changed: run ${calledAs()} quickstart --remove, then ${calledAs()} quickstart`,
  )
}

/** Null if the service answers not_found. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  return await asked.catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'not_found') return null
    throw error
  })
}
