import type { EventType } from './event-type.ts'

/** Serializes the body of an event once, in this order. These bytes are stored, signed and sent. */
export function eventBody(event: {
  id: string
  type: EventType
  data: object
  createdAt: string
}): Buffer<ArrayBuffer> {
  const { id, type, data, createdAt } = event
  return Buffer.from(JSON.stringify({ id, type, data, created_at: createdAt }))
}
