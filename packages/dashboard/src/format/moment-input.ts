import { formatMoment, type Zone } from './times.ts'

/** A moment as the text of a time field, as on the pages: `29 Nov 2026, 12:22:00`; empty for no moment. */
export function momentToInput(atMs: number, zone: Zone): string {
  return Number.isNaN(atMs) ? '' : formatMoment(new Date(atMs).toISOString(), zone)
}

/**
 * The moment that somebody typed, as on the pages or as `2026-11-29 12:22:00`; null if it is neither. The year may be
 * missing, and the seconds.
 */
export function momentFromInput(text: string, zone: Zone, nowMs: number): number | null {
  const parts = partsOf(text.trim(), new Date(nowMs))
  if (parts === null) return null
  const at = new Date(Date.UTC(...parts))
  // 31 Feb and 25:00 are no times, but Date would read them as later ones
  if (at.getUTCMonth() !== parts[1] || at.getUTCDate() !== parts[2] || at.getUTCHours() !== parts[3])
    return null
  return zone === 'utc' ? at.getTime() : new Date(...parts).getTime()
}

/** A moment as the value of `<input type="datetime-local" step="1">`, whose calendar picks a time. */
export function momentToPicker(atMs: number, zone: Zone): string {
  const shiftMs = zone === 'utc' ? 0 : new Date(atMs).getTimezoneOffset() * 60_000
  return new Date(Math.floor((atMs - shiftMs) / 1000) * 1000).toISOString().slice(0, 19)
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number]

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.\d+)?)?`
const named = new RegExp(
  String.raw`^(?<day>\d{1,2}) (?<name>[a-z]{3,9})\.?(?: (?<year>\d{4}))?,? ${clock}$`,
  'i',
)
const numbered = new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T|,? )${clock}$`, 'i')
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function partsOf(text: string, now: Date): Parts | null {
  const found = (named.exec(text) ?? numbered.exec(text))?.groups
  if (found === undefined) return null
  const { year = now.getFullYear(), name, month = 0, day, hour, minute, second = 0 } = found
  const monthIndex = name === undefined ? Number(month) - 1 : months.indexOf(name.slice(0, 3).toLowerCase())
  return [Number(year), monthIndex, Number(day), Number(hour), Number(minute), Number(second)]
}
