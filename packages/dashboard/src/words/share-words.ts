import { countOf, formatCount } from '../format/numbers.ts'

/** Counts of attempts. */
export interface Attempts {
  readonly delivered: number
  readonly failed: number
}

/** The delivered share; null without attempts. */
export function shareOf({ delivered, failed }: Attempts): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed)
}

/** `84 of 120 attempts`. */
export function attemptsWords({ delivered, failed }: Attempts): string {
  return `${formatCount(delivered)} of ${countOf(delivered + failed, 'attempt', 'attempts')}`
}
