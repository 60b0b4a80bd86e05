import { isoMs, isoTime, type LogClock } from './log-time.ts'
import type { SyslogLine } from './syslog-line.ts'

/** A line inside another one, as a container runtime or journald wrote it. */
export interface InnerLine {
  readonly text: string
  /** Milliseconds since the epoch; null if the outer line has no time. */
  readonly atMs: number | null
}

const layersMax = 4

/** The line itself, then what is inside it: Docker, Compose, Kubernetes and containers that log to journald. */
export function* layersOf(line: string, clock: LogClock): Generator<InnerLine> {
  let inner: InnerLine | null = { text: line, atMs: null }
  for (let n = 0; n < layersMax && inner !== null; n++) {
    yield inner
    const { atMs }: InnerLine = inner
    const next: InnerLine | null = unwrap(inner.text, clock)
    inner = next === null ? null : { text: next.text.replace(/\r?\n$/, ''), atMs: next.atMs ?? atMs }
  }
}

function unwrap(text: string, clock: LogClock): InnerLine | null {
  if (text.startsWith('{')) return fromJson(text, clock)
  const compose = /^(?:[\w.-]{1,128} +\||\[pod\/[\w./-]{1,250}\]) ([^]*)$/.exec(text)?.[1]
  if (compose !== undefined) return { text: compose, atMs: null }
  const [, moment, zone, inner] = timePattern.exec(text) ?? []
  if (moment === undefined || inner === undefined) return null
  const atMs = isoMs(moment, zone, clock)
  return Number.isNaN(atMs) ? null : { text: inner, atMs }
}

/** `docker logs -t`, and the files of Kubernetes, whose lines have two more words. */
const timePattern = new RegExp(`^${isoTime} (?:std(?:out|err) [FP] )?([^]*)$`)

function fromJson(text: string, clock: LogClock): InnerLine | null {
  const entry = objectIn(text)
  if (typeof entry?.['log'] === 'string') {
    const atMs = Date.parse(String(entry['time']))
    return { text: entry['log'], atMs: Number.isNaN(atMs) ? null : atMs }
  }
  // without a container, the message is text of the program that the entry names
  const journal = entry === null || !('CONTAINER_NAME' in entry) ? null : fromJournal(entry, clock)
  return journal === null ? null : { text: journal.message, atMs: journal.atMs }
}

/** Parses an entry of `journalctl -o json`. Null for other lines, and for entries that contain a line of a container. */
export function readJournalLine(text: string, clock: LogClock): SyslogLine | null {
  const entry = text.startsWith('{') ? objectIn(text) : null
  return entry === null || 'CONTAINER_NAME' in entry ? null : fromJournal(entry, clock)
}

function fromJournal(entry: Record<string, unknown>, { latestMs }: LogClock): SyslogLine | null {
  const message = textOf(entry['MESSAGE'])
  if (message === null) return null
  const micros = Number(entry['_SOURCE_REALTIME_TIMESTAMP'] ?? entry['__REALTIME_TIMESTAMP'])
  return {
    atMs: micros > 0 && micros < 8e18 ? Math.floor(micros / 1_000) : latestMs,
    host: textOf(entry['_HOSTNAME']) ?? '',
    tag: textOf(entry['SYSLOG_IDENTIFIER']) ?? textOf(entry['_COMM']) ?? '',
    message: message.trimEnd(),
  }
}

/** journalctl writes text that is not valid UTF-8 as an array of bytes. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(Number.isInteger)
    ? Buffer.from(value as number[]).toString()
    : null
}

function objectIn(text: string): Record<string, unknown> | null {
  // a parser that throws for each short line takes seconds
  if (!/^\s*\{\s*"[^]*\}\s*$/.test(text)) return null
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
