import type { Event } from '@posthorn/contract'

/** The exact bytes that we sign and send for an event, with the keys in this order. */
export function eventBody({ id, type, data, created_at }: Event): string {
  return JSON.stringify({ id, type, data, created_at })
}
