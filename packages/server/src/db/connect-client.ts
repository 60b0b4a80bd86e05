import type pg from 'pg'
import { explainPooler } from './refuse-pooler.ts'

/** Connects a client and closes it if that fails. If the connection breaks later, only the event `end` reports it. */
export async function connectClient(client: pg.Client): Promise<pg.Client> {
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explainPooler(error)
  }
}
