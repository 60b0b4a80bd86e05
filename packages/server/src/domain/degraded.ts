/** The attempts of an endpoint in consecutive minutes, oldest first. */
export interface Minutes {
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
}

/**
 * How many minutes the decision needs. The first hour only fills the window. Six hours are enough memory: an endpoint that
 * has not been below the limit for so long is healthy.
 */
export const degradedMinutes = 7 * 60

const windowMinutes = 60
/** Two failures of twenty are the least that is below 95%, so one event that fails does not count alone. */
const attemptsMin = 20
const shareMin = 0.95
/** Higher than `shareMin`, so that an endpoint near that limit does not change its state again and again. */
const shareRecovered = 0.98

/**
 * Whether an endpoint acknowledges too few attempts, at the end of the last of these minutes.
 *
 * Only a minute with a failure can start it, so an idle endpoint never gets worse when its successes leave the window. It
 * ends at least an hour after the endpoint was last below the limit, so there are at most two changes per hour.
 */
export function isDegraded({ delivered, failed }: Minutes): boolean {
  let isLow = false
  let lowAt = Number.NEGATIVE_INFINITY
  let deliveredSum = 0
  let failedSum = 0
  for (const [minute, failures] of failed.entries()) {
    deliveredSum += delivered[minute] ?? 0
    failedSum += failures
    const left = minute - windowMinutes
    if (left >= 0) {
      deliveredSum -= delivered[left] ?? 0
      failedSum -= failed[left] ?? 0
    }
    if (minute < windowMinutes - 1) continue
    const attempts = deliveredSum + failedSum
    if (failures > 0 && attempts >= attemptsMin && deliveredSum < shareMin * attempts) {
      isLow = true
      lowAt = minute
    } else if (minute - lowAt >= windowMinutes && deliveredSum >= shareRecovered * attempts) {
      isLow = false
    }
  }
  return isLow
}
