import { createHash } from 'node:crypto'
import { ApiProblem, type Client } from '@posthorn/client'
import type { Connection } from './connection.ts'
import type { ListenState } from './listen-state.ts'
import { printError } from './print.ts'

/**
 * Gets an endpoint for one session of `posthorn listen`. It is disabled, so it collects deliveries and needs no
 * reachable URL. If killed sessions left endpoints behind, this uses one and removes the others.
 */
export async function takeOwnEndpoint(
  client: Client,
  { url, credential }: Connection,
  state: ListenState,
): Promise<string> {
  const account = createHash('sha256').update(`${url} ${credential}`).digest('hex').slice(0, 16)
  const [left, ...others] = await stillThere(client, state, state.leftBehind(account))
  for (const id of others) await removeOwnEndpoint(client, state, id)
  const id = left ?? (await makeEndpoint(client))
  state.rememberEndpoint(account, id)
  return id
}

/** Removes the endpoint. If that fails, the state keeps its id, and the next session removes it. */
export async function removeOwnEndpoint(client: Client, state: ListenState, id: string): Promise<void> {
  try {
    await client.deleteWebhook({ params: { id } })
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'not_found') {
      const reason = error instanceof Error ? error.message : String(error)
      printError(`The endpoint ${id} was not removed (${reason}). The next posthorn listen removes it.`)
      return
    }
  }
  state.forgetEndpoint(id)
}

async function stillThere(client: Client, state: ListenState, left: readonly string[]): Promise<string[]> {
  if (left.length === 0) return []
  const endpoints = await Array.fromAsync(client.each('listWebhooks', { query: { limit: 250 } }))
  const isThere = (id: string): boolean => endpoints.some(endpoint => endpoint.id === id)
  for (const id of left) if (!isThere(id)) state.forgetEndpoint(id)
  return left.filter(isThere)
}

async function makeEndpoint(client: Client): Promise<string> {
  const { id } = await client.createWebhook({
    body: { url: 'https://listen.posthorn.invalid/', description: 'posthorn listen', enabled: false },
  })
  return id
}
