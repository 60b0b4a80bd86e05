/** One line of a log, taken apart as far as every program's lines are alike. */
export interface SyslogLine {
  /** Milliseconds since the epoch. */
  readonly atMs: number
  readonly host: string
  /** The name of the program, such as `postfix/smtp`. */
  readonly tag: string
  readonly message: string
}

/** How moments that a log writes without a zone, or without a year, are read. */
export interface LogClock {
  /** The epoch's milliseconds of a moment in the local time of the machine that wrote the log; the month from 0. */
  readonly localMs: (year: number, month: number, day: number, h: number, min: number, s: number) => number
  /** No line of the log is younger than this, but for a clock that is a little wrong. */
  readonly latestMs: number
}

/**
 * Reads what a syslog daemon or Postfix itself has written: the traditional form (`Nov 21 04:00:01 mx postfix/smtp[7]: …`),
 * the same with an ISO 8601 time, and RFC 5424 with or without its priority. Null for anything else.
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

/** `Date.parse` knows no leap second: it is the second after the 59th. */
function isoMs(moment: string, zone: string): number {
  const isLeap = moment.slice(17, 19) === '60'
  const parsed = Date.parse(`${isLeap ? `${moment.slice(0, 17)}59${moment.slice(19)}` : moment}${zone}`)
  return isLeap ? parsed + 1_000 : parsed
}

/** The latest year in which the moment is not in the future; Posthorn reads logs that are younger than a year. */
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

/** `host tag[pid]: message`, or as RFC 5424 has it `host tag pid msgid data message`. */
function withProgram(atMs: number, rest: string): SyslogLine | null {
  const found =
    /^(\S{1,255}) ([\w./-]{1,128})(?:\[\d{1,10}\])?: ([^]*)$/.exec(rest) ??
    /^(\S{1,255}) ([\w./-]{1,128}) (?:\d{1,10}|-) \S{1,32} (?:-|\[[^\]]*\]) \uFEFF?([^]*)$/.exec(rest)
  if (found === null) return null
  const [, host = '', tag = '', message = ''] = found
  return { atMs, host, tag, message: message.trimEnd() }
}
