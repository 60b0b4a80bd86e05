/** One parsed line of a log, in the form that all programs share. */
export interface SyslogLine {
  /** Milliseconds since the epoch. */
  readonly atMs: number
  readonly host: string
  /** The name of the program, such as `postfix/smtp`. */
  readonly tag: string
  readonly message: string
}

/** How to interpret times without a zone or without a year. */
export interface LogClock {
  /** Converts a local time of the machine that wrote the log to milliseconds since the epoch. Months count from 0. */
  readonly localMs: (year: number, month: number, day: number, h: number, min: number, s: number) => number
  /** No line is younger than this, except if the clock is slightly wrong. */
  readonly latestMs: number
}

/**
 * Parses a line that a syslog daemon or Postfix wrote. It may be in the traditional form, as in
 * `Nov 21 04:00:01 mx postfix/smtp[7]: …`, in the same form with an ISO 8601 time, or in RFC 5424. Null for other lines.
 */
export function readSyslogLine(line: string, clock: LogClock): SyslogLine | null {
  const bare = line.replace(/^<\d{1,3}>(?:\d{1,2} )?/, '')
  const traditional = traditionalPattern.exec(bare)
  if (traditional !== null) {
    const [, month = '', day = '', h = '', min = '', s = '', rest = ''] = traditional
    const atMs = yearlessMs([months.indexOf(month), Number(day), Number(h), Number(min), Number(s)], clock)
    return atMs === null ? null : withProgram(atMs, rest)
  }
  const iso = isoPattern.exec(bare)
  if (iso === null) return null
  const [, moment = '', zone, rest = ''] = iso
  const atMs = isoMs(
    moment.replace(/[ t]/, 'T'),
    zone?.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2') ?? 'Z',
  )
  return Number.isNaN(atMs) ? null : withProgram(atMs, rest)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const traditionalPattern = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.\d{1,9})? ([^]*)$/
const isoPattern =
  /^((?:199\d|2\d{3})-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?)([Zz]|[+-]\d\d:?\d\d)? ([^]*)$/
const dayMs = 86_400_000

/** `Date.parse` does not support leap seconds, so second 60 is read as 59 plus one second. */
function isoMs(moment: string, zone: string): number {
  const isLeap = moment.slice(17, 19) === '60'
  const parsed = Date.parse(`${isLeap ? `${moment.slice(0, 17)}59${moment.slice(19)}` : moment}${zone}`)
  return isLeap ? parsed + 1_000 : parsed
}

/** Chooses the latest year in which the time is not in the future, because logs are younger than a year. */
function yearlessMs(
  [month, day, h, min, s]: readonly [number, number, number, number, number],
  { localMs, latestMs }: LogClock,
): number | null {
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

/** Parses `host tag[pid]: message`, or `host tag pid msgid data message` of RFC 5424. */
function withProgram(atMs: number, rest: string): SyslogLine | null {
  const found =
    /^(\S{1,255}) ([\w./-]{1,128})(?:\[\d{1,10}\])?: ([^]*)$/.exec(rest) ??
    /^(\S{1,255}) ([\w./-]{1,128}) (?:\d{1,10}|-) \S{1,32} (?:-|\[[^\]]*\]) \uFEFF?([^]*)$/.exec(rest)
  if (found === null) return null
  const [, host = '', tag = '', message = ''] = found
  return { atMs, host, tag, message: message.trimEnd() }
}
