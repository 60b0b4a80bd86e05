export type Zone = 'local' | 'utc'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...options, ...(zone === 'utc' && { timeZone: 'UTC' }) })
  formats.set(key, made)
  return made
}

const clock: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
}

/**
 * `03:04:40`, with milliseconds on request; with the date if it is more than 24 hours ago. A moment to come on another
 * day is `1 Dec 03:04`, because its time alone would look past.
 */
export function formatTime(
  iso: string,
  zone: Zone,
  nowMs: number,
  options: { withMs?: boolean } = {},
): string {
  const at = new Date(iso)
  const isToCome = at.getTime() > nowMs
  if (isToCome && formatDay(iso, zone, nowMs) !== formatDay(new Date(nowMs).toISOString(), zone, nowMs)) {
    return formatMinute(iso, zone, nowMs)
  }
  const time =
    format(zone, clock).format(at) +
    (options.withMs === true ? `.${String(at.getMilliseconds()).padStart(3, '0')}` : '')
  return nowMs - at.getTime() < 86_400_000 ? time : `${formatDay(iso, zone, nowMs)} ${time}`
}

/** `26 Nov 02:36`: a moment in a sentence, where seconds would distract. */
export function formatMinute(iso: string, zone: Zone, nowMs: number): string {
  return `${formatDay(iso, zone, nowMs)} ${formatClock(iso, zone)}`
}

/** `02:36`: if the day is known. */
export function formatClock(iso: string, zone: Zone): string {
  const { second: _, ...minutes } = clock
  return format(zone, minutes).format(new Date(iso))
}

/** `02:30 to 02:45`, with dates if it is not all today. */
export function formatStretch(sinceIso: string, untilIso: string, zone: Zone, nowMs: number): string {
  const day = (iso: string): string => formatDay(iso, zone, nowMs)
  if (day(sinceIso) !== day(untilIso)) {
    return `${formatMinute(sinceIso, zone, nowMs)} to ${formatMinute(untilIso, zone, nowMs)}`
  }
  const clocks = `${formatClock(sinceIso, zone)} to ${formatClock(untilIso, zone)}`
  return day(sinceIso) === day(new Date(nowMs).toISOString()) ? clocks : `${day(sinceIso)} ${clocks}`
}

/** `20 Nov`, with the year if it is not the current one. */
export function formatDay(iso: string, zone: Zone, nowMs: number): string {
  const at = new Date(iso)
  const sameYear = at.getFullYear() === new Date(nowMs).getFullYear()
  return format(zone, { day: 'numeric', month: 'short', ...(!sameYear && { year: 'numeric' }) }).format(at)
}

/** `20 Nov 2026, 03:04:40.118 UTC`: complete, for tooltips and evidence. */
export function formatWhole(iso: string, zone: Zone): string {
  const at = new Date(iso)
  const ms = String(at.getMilliseconds()).padStart(3, '0')
  return `${formatMoment(iso, zone)}.${ms} ${zoneName(zone, at)}`
}

/** `20 Nov 2026, 03:04:40`: with the year and seconds, for a field. */
export function formatMoment(iso: string, zone: Zone): string {
  const at = new Date(iso)
  const day = format(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(at)
  return `${day}, ${format(zone, clock).format(at)}`
}

/** `UTC`, or the reader's own zone as `Europe/Berlin (UTC+1)`. */
export function zoneName(zone: Zone, at: Date): string {
  if (zone === 'utc') return 'UTC'
  const name = format('local', {}).resolvedOptions().timeZone
  if (name === 'UTC') return 'UTC'
  const minutes = -at.getTimezoneOffset()
  const sign = minutes < 0 ? '−' : '+'
  const rest = Math.abs(minutes) % 60
  const offset = `${sign}${Math.floor(Math.abs(minutes) / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
  return `${name} (UTC${offset})`
}
