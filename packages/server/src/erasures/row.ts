import type { Erasure } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

export interface ErasureRow {
  id: string
  state: Erasure['state']
  events: number
  deliveries: number
  attempts: number
  finished_at: Date | null
}

/** Columns of `erasure`. */
export const erasureColumns = 'id, state, events, deliveries, attempts, finished_at'

/** An erasure as the API shows it, without the address. */
export function toErasure(row: ErasureRow): Erasure {
  return {
    id: typeId('era', row.id),
    state: row.state,
    events: row.events,
    deliveries: row.deliveries,
    attempts: row.attempts,
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
