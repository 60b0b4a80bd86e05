import type pg from 'pg'

/** Connects it; when that fails nothing of it stays open. That it breaks later is told by its event `end` alone. */
export async function connected(client: pg.Client): Promise<pg.Client> {
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
