import type { Event, EventType } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { readEventData } from './event-data.ts'

export interface EventRow {
  id: string
  type: EventType
  body: Uint8Array
  erased_at: Date | null
}

/** Columns of `event v`. */
export const eventColumns = 'v.id, v.type::text as type, v.body, v.erased_at'

/** An event as the API shows it, without its deliveries. `data` is the same as in the webhook. */
export function toEvent(row: EventRow): Event {
  return {
    id: typeId('evt', row.id),
    type: row.type,
    data: readEventData(row.body),
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}
