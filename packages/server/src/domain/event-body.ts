import type { EventType } from './event-type.ts'

/** The body of an event as it is stored, signed and sent: serialised once, in this order (decisions §5). */
export function eventBody(event: {
  id: string
  type: EventType
  data: object
  createdAt: string
}): Buffer<ArrayBuffer> {
  const { id, type, data, createdAt } = event
  return Buffer.from(JSON.stringify({ id, type, data, created_at: createdAt }))
}
