import { PostfixLog, type PostfixLogOptions } from '../../../src/cli/ingest/postfix-log.ts'

/** Options for a log in UTC that is read at noon. */
export const options: PostfixLogOptions = {
  header: null,
  smarthosts: new Set(),
  localMs: (year, month, day, h, min, s) => Date.UTC(year, month, day, h, min, s),
  latestMs: Date.UTC(2026, 10, 21, 12),
}

/** The outcomes and skipped lines of a whole log. */
export function read(text: string, given: Partial<PostfixLogOptions> = {}) {
  const log = new PostfixLog()
  const taken = text
    .trim()
    .split('\n')
    .map(line => log.take(line.trim(), { ...options, ...given }))
  return {
    log,
    outcomes: taken.flatMap(one => (typeof one === 'string' ? [] : one)),
    passedOver: taken.filter(one => typeof one === 'string'),
  }
}

/** A log line from this morning. */
export const at = (seconds: number, program: string, message: string): string =>
  `Nov 21 04:00:${String(seconds).padStart(2, '0')} mx postfix/${program}[${100 + seconds}]: ${message}`
