/** A list lacks the items of shards that do not respond. */
export class IncompleteListError extends Error {
  override readonly name = 'IncompleteListError'
  readonly shards: readonly number[]

  constructor(shards: readonly number[]) {
    const which = shards.length === 1 ? `shard ${shards[0]} does` : `shards ${shards.join(', ')} do`
    super(`the list is incomplete, because ${which} not respond: repeat the call later`)
    this.shards = shards
  }
}
