/** The shard for a new account: the one with the fewest accounts; null if there is none. */
export function chooseShard(shards: ReadonlyArray<{ number: number; accounts: number }>): number | null {
  const [first] = shards.toSorted((a, b) => a.accounts - b.accounts || a.number - b.number)
  return first?.number ?? null
}
