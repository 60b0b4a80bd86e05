import { AggregatorRegistry, type Registry } from 'prom-client'
import { type Channel, request } from './channel.ts'

/** Shorter than the timeout of a scrape, so that a process that hangs does not hide the others. */
const answerMsMax = 5_000

type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Adds up the metrics of several processes. Counts of processes that exited stay included, because a counter must not fall. */
export class GroupMetrics {
  readonly #latest = new Map<Channel, ProcessMetrics>()
  #ofExited: ProcessMetrics = []

  /** In the text format of Prometheus. A process that exits meanwhile, or does not answer, counts with its latest metrics. */
  async text(members: Iterable<Channel>): Promise<string> {
    await Promise.all(
      Array.from(members, async member => {
        const own = await request(member, 'own metrics', answerMsMax)
        if (own !== null) this.#latest.set(member, own as ProcessMetrics)
      }),
    )
    return await AggregatorRegistry.aggregate([this.#ofExited, ...this.#latest.values()]).metrics()
  }

  /** The process exited: its counters stay, its gauges do not. */
  async exited(member: Channel): Promise<void> {
    const latest = this.#latest.get(member)
    if (latest === undefined) return
    this.#latest.delete(member)
    // a string, although its type says otherwise
    const counted = latest.filter(metric => String(metric.type) !== 'gauge')
    this.#ofExited = await AggregatorRegistry.aggregate([this.#ofExited, counted]).getMetricsAsJSON()
  }
}
