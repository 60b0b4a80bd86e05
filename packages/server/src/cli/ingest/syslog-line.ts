import { isoMs, isoTime, type LogClock, yearlessMs } from './log-time.ts'

/** One parsed line of a log, in the form that all programs share. */
export interface SyslogLine {
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** Empty if the line has none. */
  readonly host: string
  /** The name of the program, such as `postfix/smtp`. */
  readonly tag: string
  readonly message: string
}

/**
 * Parses a line that a syslog daemon, journald or Postfix wrote:
 *
 * - the traditional form, `Nov 21 04:00:01 mx postfix/smtp[7]: …`, also with a facility, as from busybox (`mail.info`)
 *   and FreeBSD (`<mail.info>`)
 * - the same form with an ISO 8601 time, or as journalctl prints it (`short-full`, `short-unix`)
 * - RFC 5424
 *
 * @returns null for other lines
 */
export function readSyslogLine(line: string, clock: LogClock): SyslogLine | null {
  const bare = line.replace(/^<\d{1,3}>(?:\d{1,2} )?/, '')
  const [, month, day, h, min, s, tail = ''] = traditionalPattern.exec(bare) ?? []
  if (month !== undefined) {
    const atMs = yearlessMs(month, [Number(day), Number(h), Number(min), Number(s)], clock)
    return atMs === null ? null : (withProgram(atMs, tail) ?? withoutHost(atMs, tail))
  }
  const [, seconds, rest = ''] = unixPattern.exec(bare) ?? []
  if (seconds !== undefined) return withProgram(Math.floor(Number(seconds) * 1_000), rest)
  const [, full, name = '', end = ''] = fullPattern.exec(bare) ?? []
  // other names of zones are ambiguous, so they count as the zone of this machine
  if (full !== undefined) return withTime(full, /^(?:UTC|GMT)$/.test(name) ? 'Z' : undefined, end, clock)
  const [, moment, zone, after = ''] = isoPattern.exec(bare) ?? []
  return moment === undefined ? null : withTime(moment, zone, after, clock)
}

const traditionalPattern = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.\d{1,9})? ([^]*)$/
const unixPattern = /^(\d{9,10}\.\d{6}) ([^]*)$/
/** `short-full` of journalctl: `Sat 2026-11-21 04:00:01 UTC`. */
const fullPattern =
  /^[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?) ([A-Z]{2,5}|[+-]\d{2,4}) ([^]*)$/
const isoPattern = new RegExp(`^${isoTime} ([^]*)$`)

function withTime(
  moment: string,
  zone: string | undefined,
  rest: string,
  clock: LogClock,
): SyslogLine | null {
  const atMs = isoMs(moment, zone, clock)
  return Number.isNaN(atMs) ? null : withProgram(atMs, rest)
}

const tagPattern = '([\\w./-]{1,128})'
const facility =
  '(?:<?(?:kern|user|mail|daemon|auth|syslog|local\\d)\\.(?:crit|err|error|warn|warning|notice|info|debug)>? )'
const host = `(?!${facility})(\\S{0,254}[^\\s:])`
const element = '\\[(?:[^\\]"\\\\]|"(?:\\\\.|[^"\\\\])*")*\\]'
const programPattern = new RegExp(
  `^${facility}?${host} ${facility}?${tagPattern}(?:\\[\\d{1,10}\\])?: ([^]*)$`,
)
const withoutHostPattern = new RegExp(`^${facility}?${tagPattern}\\[\\d{1,10}\\]: ([^]*)$`)
const newPattern = new RegExp(
  `^${host} ${tagPattern} (?:\\d{1,10}|-) \\S{1,32} (?:-|(?:${element})+) \\uFEFF?([^]*)$`,
)

/** Parses `host tag[pid]: message`, or `host tag pid msgid data message` of RFC 5424. */
function withProgram(atMs: number, rest: string): SyslogLine | null {
  const found = programPattern.exec(rest) ?? newPattern.exec(rest)
  if (found === null) return null
  const [, name = '', tag = '', message = ''] = found
  return { atMs, host: name, tag, message: message.trimEnd() }
}

/** Parses `tag[pid]: message`, as busybox writes it with the option `-S`. */
function withoutHost(atMs: number, rest: string): SyslogLine | null {
  const [, tag, message = ''] = withoutHostPattern.exec(rest) ?? []
  return tag === undefined ? null : { atMs, host: '', tag, message: message.trimEnd() }
}
