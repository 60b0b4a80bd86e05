/** The items of a report that belong to one shard. */
export interface ReportPart<Item> {
  readonly shard: number
  readonly items: readonly Item[]
  /** The position of each item in the whole report, ascending. */
  readonly places: readonly number[]
}

/**
 * Splits a report by shard. Each part keeps the order of the report, and the parts are ordered by shard.
 *
 * @example
 * splitReport(['a1', 'b1', 'a2'], item => (item.startsWith('a') ? 0 : 1))
 * // [{ shard: 0, items: ['a1', 'a2'], places: [0, 2] }, { shard: 1, items: ['b1'], places: [1] }]
 */
export function splitReport<Item>(
  items: readonly Item[],
  shardOf: (item: Item, place: number) => number,
): ReportPart<Item>[] {
  const parts = new Map<number, { shard: number; items: Item[]; places: number[] }>()
  items.forEach((item, place) => {
    const shard = shardOf(item, place)
    const part = parts.get(shard) ?? { shard, items: [], places: [] }
    parts.set(shard, part)
    part.items.push(item)
    part.places.push(place)
  })
  return [...parts.values()].sort((a, b) => a.shard - b.shard)
}
