import { AggregatorRegistry, type Registry } from 'prom-client'
import { askOver, type Channel } from './questions.ts'

/** What a registry says of its metrics, for another process to add up. */
type OwnMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * The metrics of several processes as those of one. What a process had counted when it was last asked goes on being counted
 * after its end: a counter that falls would be taken for one that began anew.
 */
export class GroupMetrics {
  readonly #told = new Map<Channel, OwnMetrics>()
  #ofEnded: OwnMetrics = []

  /** In the text format of Prometheus. Who ends meanwhile is taken as it was last. */
  async text(members: Iterable<Channel>): Promise<string> {
    await Promise.all(
      Array.from(members, async member => {
        const own = await askOver(member, 'own metrics')
        if (own !== null) this.#told.set(member, own as OwnMetrics)
      }),
    )
    return await AggregatorRegistry.aggregate([this.#ofEnded, ...this.#told.values()]).metrics()
  }

  /** It has ended: what it had under way is gone, what it has counted stays. */
  async ended(member: Channel): Promise<void> {
    const last = this.#told.get(member)
    if (last === undefined) return
    this.#told.delete(member)
    // a word, although its types say otherwise
    const counted = last.filter(metric => String(metric.type) !== 'gauge')
    this.#ofEnded = await AggregatorRegistry.aggregate([this.#ofEnded, counted]).getMetricsAsJSON()
  }
}
