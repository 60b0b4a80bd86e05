import type { Attempt } from '@posthorn/contract'

/** Consecutive attempts with the same result, newest first. */
export type AttemptRun = readonly [Attempt, ...Attempt[]]

/**
 * Groups attempts, newest first. The newest is alone; older ones with the same result share a line: `2–6
 * tls_expired, 5 times`.
 */
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
