import { PostfixLog, type PostfixLogOptions } from '../../../src/domain/sources/postfix-log.ts'

/** A log of UTC that was read at noon. */
export const options: PostfixLogOptions = {
  header: null,
  smarthosts: new Set(),
  localMs: (year, month, day, h, min, s) => Date.UTC(year, month, day, h, min, s),
  latestMs: Date.UTC(2026, 10, 21, 12),
}

/** What a whole log comes to. */
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

/** A line of this morning. */
export const at = (seconds: number, program: string, message: string): string =>
  `Nov 21 04:00:${String(seconds).padStart(2, '0')} mx postfix/${program}[${100 + seconds}]: ${message}`
