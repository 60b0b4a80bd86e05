import type { ShardAddress } from '../domain/shard-list.ts'

export interface ShardFailure extends ErrorOptions {
  readonly mayHaveArrived: boolean
  readonly isMisconfigured?: boolean
}

/** A shard gave no answer that proves to be its own. */
export class ShardUnavailable extends Error {
  override readonly name = 'ShardUnavailable'
  readonly shard: number
  /** Whether the shard may have received the request, so that only a request that is safe to repeat may be sent again. */
  readonly mayHaveArrived: boolean
  /** Something else answered, or with other keys. Waiting does not help. */
  readonly isMisconfigured: boolean
  /** What is wrong, without the URL. */
  readonly reason: string

  constructor(
    { number, url }: ShardAddress,
    reason: string,
    { mayHaveArrived, isMisconfigured = false, cause }: ShardFailure,
  ) {
    super(`Shard ${number} (${url}) is not available: ${reason}.`, { cause })
    this.shard = number
    this.reason = reason
    this.mayHaveArrived = mayHaveArrived
    this.isMisconfigured = isMisconfigured
  }
}
