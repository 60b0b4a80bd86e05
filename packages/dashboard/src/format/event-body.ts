import type { Event } from '@posthorn/contract'

/** The exact bytes that are signed and sent for an event: serialised once, in this order. */
export function eventBody({ id, type, data, created_at }: Event): string {
  return JSON.stringify({ id, type, data, created_at })
}
