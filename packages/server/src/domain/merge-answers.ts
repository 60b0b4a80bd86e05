/** What a shard answers to a report: the new events in the order of the items, and the ignored items. */
export interface ReportAnswer<Ignored extends { readonly index: number }> {
  readonly events: readonly string[]
  /** Ordered by index. */
  readonly ignored: readonly Ignored[]
}

export interface AnsweredPart<Ignored extends { readonly index: number }> {
  /** The position of each item of the part in the whole report, ascending. */
  readonly places: readonly number[]
  readonly answer: ReportAnswer<Ignored>
}

/**
 * Merges the answers to the parts of a report into the answer to the whole report, in the order of its items.
 *
 * @param outcomesAt how many outcomes the item at a place contains; each becomes an event or is ignored
 * @example
 * mergeAnswers([
 *   { places: [0, 2], answer: { events: ['evt_1', 'evt_3'], ignored: [] } },
 *   { places: [1], answer: { events: [], ignored: [{ index: 0, reason: 'duplicate' }] } },
 * ]) // { accepted: 2, events: ['evt_1', 'evt_3'], ignored: [{ index: 1, reason: 'duplicate' }] }
 */
export function mergeAnswers<Ignored extends { readonly index: number }>(
  parts: ReadonlyArray<AnsweredPart<Ignored>>,
  outcomesAt: (place: number) => number = () => 1,
): { accepted: number; events: string[]; ignored: Ignored[] } {
  const placed = parts.flatMap(part => placeEvents(part, outcomesAt))
  // a stable sort keeps the order of several outcomes of one item
  const events = placed.sort((a, b) => a.place - b.place).map(({ event }) => event)
  const ignored = parts
    .flatMap(({ places, answer }) =>
      answer.ignored.map(one => ({ ...one, index: places[one.index] ?? one.index })),
    )
    .sort((a, b) => a.index - b.index)
  return { accepted: events.length, events, ignored }
}

/** An answer does not say which item an event belongs to, but each outcome of an item is an event unless it was ignored. */
function placeEvents<Ignored extends { readonly index: number }>(
  { places, answer }: AnsweredPart<Ignored>,
  outcomesAt: (place: number) => number,
): Array<{ place: number; event: string }> {
  const ignoredAt = new Map<number, number>()
  for (const { index } of answer.ignored) ignoredAt.set(index, (ignoredAt.get(index) ?? 0) + 1)
  const placed: Array<{ place: number; event: string }> = []
  places.forEach((place, index) => {
    const eventCount = Math.max(0, outcomesAt(place) - (ignoredAt.get(index) ?? 0))
    const from = placed.length
    for (const event of answer.events.slice(from, from + eventCount)) placed.push({ place, event })
  })
  // if a shard of another version counts differently, no event may be lost
  const lastPlace = places.at(-1) ?? 0
  for (const event of answer.events.slice(placed.length)) placed.push({ place: lastPlace, event })
  return placed
}
