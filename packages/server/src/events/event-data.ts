import type { Event } from '@posthorn/contract'

/** The data of an event from its stored bytes, which this service wrote from checked data: their shape is known. */
export function readEventData(body: Uint8Array): Event['data'] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  return (JSON.parse(text) as Event).data
}
