/** How long it takes to send what waits, in whole seconds: at the installation's pace, or the endpoint's if that is slower. */
export function drainSeconds(
  count: number,
  drainPerSecond: number,
  endpointPerSecond: number | null,
): number {
  return Math.ceil(count / Math.min(drainPerSecond, endpointPerSecond ?? Number.POSITIVE_INFINITY))
}
