import type { Zone } from './times.ts'

/** A moment as the value of `<input type="datetime-local" step="1">` in the reader's zone; empty for no moment. */
export function momentToInput(atMs: number, zone: Zone): string {
  if (Number.isNaN(atMs)) return ''
  const at = new Date(atMs)
  const shiftMs = zone === 'utc' ? 0 : at.getTimezoneOffset() * 60_000
  return new Date(Math.floor((atMs - shiftMs) / 1000) * 1000).toISOString().slice(0, 19)
}

/** The moment of such a value; null while it is incomplete. */
export function momentFromInput(value: string, zone: Zone): number | null {
  const atMs = Date.parse(zone === 'utc' ? `${value}Z` : value)
  return Number.isNaN(atMs) ? null : atMs
}
