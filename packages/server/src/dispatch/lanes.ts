import { Lane } from './lane.ts'

/** Endpoints remembered before idle ones are forgotten. */
const lanesMax = 20_000

/** What this process knows of endpoints that it has sent to, found by endpoint and by account. */
export class Lanes {
  readonly #byEndpoint = new Map<string, Lane>()
  readonly #byAccount = new Map<string, Set<Lane>>()

  get(endpointId: string): Lane | undefined {
    return this.#byEndpoint.get(endpointId)
  }

  ofAccount(accountId: string): Iterable<Lane> {
    return this.#byAccount.get(accountId) ?? []
  }

  /** The lane of this endpoint; a new one knows only of its failures. */
  enter(accountId: string, endpointId: string, failuresInRow: number): Lane {
    const known = this.#byEndpoint.get(endpointId)
    if (known !== undefined) return known
    const lane = new Lane(accountId, endpointId, failuresInRow)
    this.#byEndpoint.set(endpointId, lane)
    const ofAccount = this.#byAccount.get(accountId)
    if (ofAccount === undefined) this.#byAccount.set(accountId, new Set([lane]))
    else ofAccount.add(lane)
    return lane
  }

  /** Forgets endpoints that nothing is known of but that they are well, once there are too many of them. */
  forgetIdle(): void {
    if (this.#byEndpoint.size < lanesMax) return
    for (const lane of this.#byEndpoint.values()) {
      if (lane.inFlight === 0 && lane.queue.length === 0 && !lane.failing) this.#forget(lane)
    }
  }

  #forget(lane: Lane): void {
    this.#byEndpoint.delete(lane.endpointId)
    const ofAccount = this.#byAccount.get(lane.accountId)
    if (ofAccount?.delete(lane) && ofAccount.size === 0) this.#byAccount.delete(lane.accountId)
  }
}
