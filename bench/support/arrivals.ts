import type { Ledger, Latencies } from './receiver-process.ts'

const dueMark = Buffer.from('"due_ms":')

/** The arrivals at a receiver: requests, distinct deliveries, and latencies. */
export class Arrivals {
  #requests = 0
  readonly #deliveries = new Set<string>()
  readonly #acknowledged = new Map<string, number>()
  readonly #latencies = new Map<string, number[]>()

  /** Records one request and returns its group, the first segment of its path. */
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

  /** Counts a request of this group as acknowledged. */
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

  /** The latency of each delivery's first arrival by group, if its event has `due_ms`. */
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

/** Copies the text, because a slice would keep the whole request head in memory. */
function copied(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}

/** The value of a header, with the name spelled like Posthorn does. */
function field(head: string, name: string): string | undefined {
  const from = head.indexOf(name)
  return from < 0 ? undefined : head.slice(from + name.length, head.indexOf('\r', from))
}
