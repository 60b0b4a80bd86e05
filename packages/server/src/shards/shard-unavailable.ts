import type { ShardAddress } from '../domain/shard-list.ts'

/** A shard gave no answer that proves to be its own. */
export class ShardUnavailable extends Error {
  override readonly name = 'ShardUnavailable'
  readonly shard: number
  /** Whether the shard may have received the request, so that only a request that is safe to repeat may be sent again. */
  readonly mayHaveArrived: boolean

  constructor(
    { number, url }: ShardAddress,
    reason: string,
    mayHaveArrived: boolean,
    options?: ErrorOptions,
  ) {
    super(`Shard ${number} (${url}) is not available: ${reason}.`, options)
    this.shard = number
    this.mayHaveArrived = mayHaveArrived
  }
}
