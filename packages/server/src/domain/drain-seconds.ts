/** The seconds it takes to send a backlog, at the drain rate or the endpoint's rate limit, whichever is lower. */
export function drainSeconds(
  count: number,
  drainPerSecond: number,
  endpointPerSecond: number | null,
): number {
  return Math.ceil(count / Math.min(drainPerSecond, endpointPerSecond ?? Number.POSITIVE_INFINITY))
}
