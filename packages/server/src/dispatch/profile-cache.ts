import type { Queryable } from '../db/database.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { Seal } from '../seal/seal.ts'
import { loadProfiles, type SendingProfile, type UnreadableProfile } from './sending-profile.ts'

/** Opened secrets held at once; beyond it the endpoint that was loaded longest ago goes. */
const profilesMax = 20_000

type Profile = SendingProfile | UnreadableProfile

/**
 * Profiles by endpoint. One is used only for a delivery that was claimed under the same version, so nothing here
 * needs to be told of a change: the statement that took the delivery says which version it must be.
 */
export class ProfileCache {
  readonly #profiles = new Map<string, Profile>()
  readonly #db: Queryable
  readonly #seal: Seal
  readonly #userAgent: string
  #wanted: Map<string, { accountId: string; endpointId: string }> | undefined
  #loading: Promise<Map<string, Profile>> | undefined
  /** Profiles that are just being loaded, by endpoint. */
  readonly #coming = new Map<string, Promise<Profile | undefined>>()

  constructor(db: Queryable, seal: Seal, userAgent: string) {
    this.#db = db
    this.#seal = seal
    this.#userAgent = userAgent
  }

  /** The profile, if it is there in the delivery's version. */
  get(delivery: LeasedDelivery): Profile | undefined {
    const profile = this.#profiles.get(delivery.endpointId)
    return profile?.version === delivery.endpointVersion ? profile : undefined
  }

  /**
   * Begins to load what is missing for deliveries that were just claimed, in one statement. Where receivers hang they begin
   * one by one as places become free, and each would ask for itself.
   */
  prepare(all: readonly LeasedDelivery[]): void {
    for (const delivery of all) {
      // the attempt asks again, and is told why it failed
      if (this.get(delivery) === undefined) this.load(delivery).catch(() => {})
    }
  }

  /**
   * Loads the profile; those asked for in the same turn of the event loop share a statement. Undefined when the
   * endpoint is meanwhile disabled, deleted or of another version: the delivery has to be given back.
   */
  async load(delivery: LeasedDelivery): Promise<Profile | undefined> {
    const { endpointId } = delivery
    const coming = this.#coming.get(endpointId)
    if (coming !== undefined) {
      const profile = await coming
      if (profile?.version === delivery.endpointVersion) return profile
    }
    const loading = this.#loadWithOthers(delivery)
    this.#coming.set(endpointId, loading)
    try {
      const profile = await loading
      return profile?.version === delivery.endpointVersion ? profile : undefined
    } finally {
      if (this.#coming.get(endpointId) === loading) this.#coming.delete(endpointId)
    }
  }

  async #loadWithOthers(delivery: LeasedDelivery): Promise<Profile | undefined> {
    if (this.#wanted === undefined) {
      const wanted = new Map<string, { accountId: string; endpointId: string }>()
      this.#wanted = wanted
      this.#loading = new Promise(resolve => setImmediate(resolve)).then(async () => {
        this.#wanted = undefined
        return await loadProfiles(this.#db, this.#seal, this.#userAgent, [...wanted.values()])
      })
    }
    this.#wanted.set(delivery.endpointId, delivery)
    const profile = (await this.#loading)?.get(delivery.endpointId)
    if (profile !== undefined) this.#keep(delivery.endpointId, profile)
    return profile
  }

  #keep(endpointId: string, profile: Profile): void {
    this.#profiles.delete(endpointId)
    this.#profiles.set(endpointId, profile)
    if (this.#profiles.size <= profilesMax) return
    const oldest = this.#profiles.keys().next().value
    if (oldest !== undefined) this.#profiles.delete(oldest)
  }
}
