import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { Profile } from './sending-profile.ts'

/** Profiles in memory; beyond this the one that was loaded first is removed. */
const profilesMax = 20_000

interface Batch {
  readonly endpoints: Map<string, LeasedDelivery>
  readonly profiles: Promise<Map<string, Profile>>
}

/**
 * Profiles by endpoint. A profile is used only for a delivery that was claimed under the same version, so no other process has
 * to announce a change.
 */
export class ProfileCache {
  readonly #loadProfiles: (endpoints: readonly LeasedDelivery[]) => Promise<Map<string, Profile>>
  readonly #profiles = new Map<string, Profile>()
  /** Profiles that are being loaded, by endpoint. */
  readonly #loading = new Map<string, Promise<Profile | undefined>>()
  /** What the next statement loads. */
  #batch: Batch | undefined

  constructor(load: (endpoints: readonly LeasedDelivery[]) => Promise<Map<string, Profile>>) {
    this.#loadProfiles = load
  }

  /** The profile, if it is there in the delivery's version. */
  get(delivery: LeasedDelivery): Profile | undefined {
    const profile = this.#profiles.get(delivery.endpointId)
    return profile?.version === delivery.endpointVersion ? profile : undefined
  }

  /** Loads the missing profiles of a claim in one statement, because its attempts may start one by one. */
  prepare(deliveries: readonly LeasedDelivery[]): void {
    for (const delivery of deliveries) {
      // the attempt loads it again, and reports the error
      if (this.get(delivery) === undefined) this.load(delivery).catch(() => {})
    }
  }

  /**
   * Loads the profile; calls in the same iteration of the event loop share a statement. Undefined if the endpoint was disabled,
   * deleted or changed since the claim: the delivery must be released.
   */
  async load(delivery: LeasedDelivery): Promise<Profile | undefined> {
    const { endpointId, endpointVersion } = delivery
    const earlier = await this.#loading.get(endpointId)
    if (earlier?.version === endpointVersion) return earlier
    const loading = this.#loadWithOthers(delivery)
    this.#loading.set(endpointId, loading)
    try {
      const profile = await loading
      return profile?.version === endpointVersion ? profile : undefined
    } finally {
      if (this.#loading.get(endpointId) === loading) this.#loading.delete(endpointId)
    }
  }

  async #loadWithOthers(delivery: LeasedDelivery): Promise<Profile | undefined> {
    this.#batch ??= this.#startBatch()
    this.#batch.endpoints.set(delivery.endpointId, delivery)
    const profile = (await this.#batch.profiles).get(delivery.endpointId)
    if (profile !== undefined) this.#keep(delivery.endpointId, profile)
    return profile
  }

  #startBatch(): Batch {
    const endpoints = new Map<string, LeasedDelivery>()
    const profiles = new Promise(resolve => setImmediate(resolve)).then(async () => {
      this.#batch = undefined
      return await this.#loadProfiles([...endpoints.values()])
    })
    return { endpoints, profiles }
  }

  #keep(endpointId: string, profile: Profile): void {
    this.#profiles.delete(endpointId)
    this.#profiles.set(endpointId, profile)
    if (this.#profiles.size <= profilesMax) return
    const oldest = this.#profiles.keys().next().value
    if (oldest !== undefined) this.#profiles.delete(oldest)
  }
}
