import type { EventType } from './event-type.ts'

/** The body of an event as it is stored, signed and sent: serialised once, in this order (decisions §5). */
export function eventBody(event: {
  id: string
  type: EventType
  data: object
  createdAt: string
}): Buffer<ArrayBuffer> {
  return Buffer.from(
    `{"id":"${event.id}","type":"${event.type}","data":${JSON.stringify(event.data)},"created_at":"${event.createdAt}"}`,
  )
}
