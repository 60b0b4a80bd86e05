import { formatDuration } from '../../../format/numbers.ts'
import type { LibraryVerdict } from './library-verdict.ts'
import type { Rule } from './rule.ts'
import { timeText } from './signed-at.ts'

/** The default tolerance of receivers, in both directions. */
export const defaultToleranceSeconds = 300

/**
 * Rule 5. If a signature matches, the library's verdict includes the time; otherwise this computes the age like the
 * library.
 * @param verdict with the default tolerance; null: not available yet
 */
export function ageRule(header: string, nowMs: number, verdict: LibraryVerdict | null): Rule {
  const text = timeText(header)
  const ageSeconds = text === undefined ? Number.NaN : Math.floor(nowMs / 1000) - Number(text)
  if (Number.isNaN(ageSeconds)) {
    return { number: 5, state: 'unknown', words: `Age: at most ${defaultToleranceSeconds} s` }
  }
  const age = ageSeconds < 0 ? `${spell(-ageSeconds)} ahead of now` : spell(ageSeconds)
  if (verdict?.ok === true) return { number: 5, state: 'good', words: `Age: ${age}` }
  const isRefused = verdict?.code === 'timestamp_too_old' || verdict?.code === 'timestamp_in_future'
  const limit = `a receiver with the default ${defaultToleranceSeconds} s`
  if (isRefused) return { number: 5, state: 'bad', words: `Age: ${age}; ${limit} refuses it` }
  return Math.abs(ageSeconds) <= defaultToleranceSeconds
    ? { number: 5, state: 'good', words: `Age: ${age}` }
    : { number: 5, state: 'warning', words: `Age: ${age}; ${limit} would refuse it even if 4 passed` }
}

function spell(seconds: number): string {
  return seconds === 0 ? '0 s' : formatDuration(seconds * 1000)
}
