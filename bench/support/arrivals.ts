import type { Ledger, Latencies } from './receiver-process.ts'

const dueMark = Buffer.from('"due_ms":')

/** What arrived at a receiver: how often, how many different deliveries, and how long after they were due. */
export class Arrivals {
  #requests = 0
  readonly #deliveries = new Set<string>()
  readonly #acknowledged = new Map<string, number>()
  readonly #latencies = new Map<string, number[]>()

  /** Writes one request down and returns its group, the first segment of its path. */
  record(head: string, body: Buffer): string {
    const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' ', head.indexOf(' ') + 1))
    const end = path.indexOf('/', 1)
    const group = end < 0 ? path.slice(1) : path.slice(1, end)
    const eventId = field(head, 'X-Service-Event-Id: ')
    this.#requests++
    if (eventId === undefined) return group
    const known = this.#deliveries.size
    this.#deliveries.add(copied(`${eventId}${path}`))
    if (this.#deliveries.size > known) this.#recordLatency(group, body)
    return group
  }

  /** A request of this group is answered with success. */
  acknowledge(group: string): void {
    this.#acknowledged.set(group, (this.#acknowledged.get(group) ?? 0) + 1)
  }

  counts(): Ledger {
    return {
      requests: this.#requests,
      deliveries: this.#deliveries.size,
      acknowledged: Object.fromEntries(this.#acknowledged),
    }
  }

  /** Of the first arrival of each delivery whose event says when it was due; per group. */
  latencies(): Latencies {
    return Object.fromEntries(
      [...this.#latencies].map(([group, pairs]) => [
        group,
        {
          arrivedAtMs: Float64Array.from({ length: pairs.length / 2 }, (_, n) => pairs[2 * n] ?? 0),
          latencyMs: Float64Array.from({ length: pairs.length / 2 }, (_, n) => pairs[2 * n + 1] ?? 0),
        },
      ]),
    )
  }

  #recordLatency(group: string, body: Buffer): void {
    const at = body.indexOf(dueMark)
    if (at < 0) return
    const nowMs = performance.timeOrigin + performance.now()
    const dueMs = Number.parseFloat(body.toString('latin1', at + dueMark.length, at + dueMark.length + 24))
    const pairs = this.#latencies.get(group)
    if (pairs === undefined) this.#latencies.set(group, [nowMs, nowMs - dueMs])
    else pairs.push(nowMs, nowMs - dueMs)
  }
}

/** The same text in memory of its own: a part of a request's head keeps the whole head, four gigabytes of four million. */
function copied(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}

/** The value after a header's name as Posthorn writes it. */
function field(head: string, name: string): string | undefined {
  const from = head.indexOf(name)
  return from < 0 ? undefined : head.slice(from + name.length, head.indexOf('\r', from))
}
