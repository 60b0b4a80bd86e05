import type { Attempt } from '@posthorn/contract'

/** Attempts that came to the same, one after another, newest first. */
export type AttemptRun = readonly [Attempt, ...Attempt[]]

/** Newest first; the newest stands alone, and older ones that ended alike are one line: `2–6 tls_expired, 5 times`. */
export function foldAttempts(attempts: readonly Attempt[]): AttemptRun[] {
  const runs: [Attempt, ...Attempt[]][] = []
  for (const attempt of attempts.toSorted((a, b) => b.number - a.number)) {
    const run = runs.at(-1)
    if (runs.length > 1 && run !== undefined && endedAlike(run[0], attempt)) run.push(attempt)
    else runs.push([attempt])
  }
  return runs
}

function endedAlike(one: Attempt, other: Attempt): boolean {
  return (
    one.outcome === other.outcome &&
    one.status_code === other.status_code &&
    one.error?.code === other.error?.code
  )
}
