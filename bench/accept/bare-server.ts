import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { openDatabase } from '../../packages/server/src/db/open-database.ts'
import { eventBody } from '../../packages/server/src/domain/event-body.ts'
import type { EventType } from '../../packages/server/src/domain/event-type.ts'
import { createUuidV7, uuidV7Ms } from '../../packages/server/src/domain/uuid-v7.ts'
import type { FromBareServer, ToBareServer } from './bare-process.ts'
import { BareGroupCommit } from './bare-group-commit.ts'

/**
 * The process to compare with: the same HTTP stack, one JSON object parsed, the event's bytes made, and then either
 * stored in one table by group commit, or dropped. No credential, no check, no delivery.
 */
const databaseUrl = process.argv[2]
const newId = createUuidV7(
  () => Date.now(),
  length => randomBytes(length),
)
const commits = databaseUrl === undefined ? null : await openCommits(databaseUrl)
const app = fastify({ logger: false })
app.post<{ Body: { type: EventType; data: object } }>('/v1/outcomes', async ({ body }, reply) => {
  const id = newId()
  const createdAt = new Date(uuidV7Ms(id)).toISOString()
  const bytes = eventBody({ id, type: body.type, data: body.data, createdAt })
  await commits?.store(id, bytes)
  return await reply.code(202).send({ accepted: 1, events: [id], ignored: [] })
})
process.on('message', (_ask: ToBareServer) => {
  void commits?.count().then(stored => tell({ stored }))
})
process.on('disconnect', () => process.exit())
await app.listen({ host: '127.0.0.1', port: 0 })
tell({ port: (app.server.address() as AddressInfo).port })

async function openCommits(url: string): Promise<BareGroupCommit> {
  const onLost = (error: Error): never => {
    throw error
  }
  const db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost })
  await db.query('create table bare (id uuid not null, body bytea not null)')
  return new BareGroupCommit(db)
}

function tell(message: FromBareServer): void {
  process.send?.(message)
}
