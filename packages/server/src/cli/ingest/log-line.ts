import { layersOf, readJournalLine } from './container-line.ts'
import type { LogClock } from './log-time.ts'
import { readSyslogLine, type SyslogLine } from './syslog-line.ts'

/** One line of a log. The tag is null if the line has no prefix that names the program. */
export type LogLine = Omit<SyslogLine, 'tag'> & { readonly tag: string | null }

/**
 * Parses a line with the prefix of syslog, journald, Docker, Compose or Kubernetes, with several of them, or with none. A
 * prefix must be whole: text that a program logged is never read as a prefix.
 */
export function readLogLine(line: string, clock: LogClock): LogLine {
  let last = { text: line, atMs: null as number | null }
  for (const layer of layersOf(line, clock)) {
    const found = readSyslogLine(layer.text, clock) ?? readJournalLine(layer.text, clock)
    if (found !== null) return found
    last = layer
  }
  const place = { atMs: last.atMs ?? clock.latestMs, host: '' }
  const [, withPid, withSlash, message = ''] = barePattern.exec(last.text) ?? []
  const tag = withPid ?? withSlash ?? null
  return { ...place, tag, message: (tag === null ? last.text : message).trimEnd() }
}

/** `postfix/smtp[7]: …` */
const barePattern = /^(?:([\w./-]{1,128})\[\d{1,10}\]|([\w.-]{1,64}\/[\w./-]{1,64})): ([^]*)$/
