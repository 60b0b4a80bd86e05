/** So many pages are filed in five milliseconds or so, in which others get half of what they are used to. */
const pagesWanted = 4
/** A filing has to look at the index of each day, whatever it finds. */
const shortestMs = 100
/** The more keys are filed at once, the more of them go to the same pages, and the less each costs. */
const shortestUnnoticedMs = 400
/** The list that PostgreSQL files by itself, in the midst of a report, takes many times longer to fill. */
const longestMs = 1_000

/**
 * When search keys are to be filed again, in milliseconds: the more there were this time, the sooner, so that what
 * gathers until then is filed in a moment. Where little comes, once a second.
 *
 * @param pages that were filed this time
 * @param gatheredMs from the filing before to this one: as long as they took to gather
 * @param isNoticed whether somebody reports a few events at a time, who waits while much is filed
 */
export function nextFilingInMs(pages: number, gatheredMs: number, isNoticed: boolean): number {
  const untilWantedMs = (gatheredMs * pagesWanted) / Math.max(1, pages)
  // after a lull of a moment it goes on nearly as before
  const steppedMs = Math.min(untilWantedMs, 2 * gatheredMs)
  return Math.min(longestMs, Math.max(isNoticed ? shortestMs : shortestUnnoticedMs, steppedMs))
}
