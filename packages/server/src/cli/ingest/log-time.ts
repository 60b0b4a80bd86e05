/** How to interpret times without a zone or without a year. */
export interface LogClock {
  /** Converts a local time of the machine that wrote the log to milliseconds since the epoch. Months count from 0. */
  readonly localMs: (year: number, month: number, day: number, h: number, min: number, s: number) => number
  /** No line is younger than this, except if the clock is slightly wrong. */
  readonly latestMs: number
}

/** A time with a year, and a zone if there is one: `2026-11-21T04:00:01.5Z`, `2026-11-21 04:00:01 +0100`. */
export const isoTime =
  '((?:199\\d|2\\d{3})-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)( ?(?:[Zz]|[+-]\\d\\d:?\\d\\d)(?![^\\s,"]))?'

/**
 * Reads what `isoTime` has found.
 *
 * @param zone undefined if the time has none
 * @returns milliseconds since the epoch; NaN for a time that does not exist
 */
export function isoMs(moment: string, zone: string | undefined, { localMs }: LogClock): number {
  // `Date.parse` does not support leap seconds, so second 60 is read as 59 plus one second
  const isLeap = moment.slice(17, 19) === '60'
  const text = (isLeap ? `${moment.slice(0, 17)}59${moment.slice(19)}` : moment).replace(/[ t]/, 'T')
  const parsed =
    zone === undefined
      ? inLocalTime(text, localMs)
      : Date.parse(
          `${text}${zone
            .trim()
            .toUpperCase()
            .replace(/(\d\d)(\d\d)$/, '$1:$2')}`,
        )
  return isLeap ? parsed + 1_000 : parsed
}

function inLocalTime(text: string, localMs: LogClock['localMs']): number {
  const utcMs = Date.parse(`${text}Z`)
  if (Number.isNaN(utcMs)) return utcMs
  const utc = new Date(utcMs)
  const seconds = utc.getUTCSeconds()
  const day = [utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate()] as const
  return localMs(...day, utc.getUTCHours(), utc.getUTCMinutes(), seconds) + utc.getUTCMilliseconds()
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/**
 * Reads a time without a year, such as `Nov 21 04:00:01`. Chooses the latest year in which it is not in the future, because
 * logs are younger than a year.
 *
 * @returns milliseconds since the epoch; null for a time that does not exist
 */
export function yearlessMs(
  monthName: string,
  [day, h, min, s]: readonly [number, number, number, number],
  { localMs, latestMs }: LogClock,
): number | null {
  const month = months.indexOf(monthName)
  if (month < 0 || day < 1 || day > 31 || h > 23 || min > 59 || s > 60) return null
  const latestYear = new Date(latestMs + dayMs).getUTCFullYear() + 1
  for (let year = latestYear; year > latestYear - 10; year--) {
    // 29 February exists in few years
    if (new Date(Date.UTC(year, month, day)).getUTCDate() !== day) continue
    const atMs = localMs(year, month, day, h, min, s)
    if (atMs <= latestMs + dayMs) return atMs
  }
  return null
}
