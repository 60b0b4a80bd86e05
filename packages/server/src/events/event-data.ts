import type { Event } from '@posthorn/contract'

/** Reads the data of an event from its stored bytes. Posthorn wrote them from checked data, so it does not check again. */
export function readEventData(body: Uint8Array): Event['data'] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  return (JSON.parse(text) as Event).data
}
