import type { SourceAccepted } from '@posthorn/contract'
import type { PassedOver } from './log-outcome.ts'

/** Counts what was read and its results. */
export class IngestTally {
  readonly #unit: 'lines' | 'messages'
  #read = 0
  #events = 0
  #notOurs = 0
  readonly #passedOver = new Map<string, number>()
  readonly #ignored = new Map<string, number>()

  constructor(unit: 'lines' | 'messages' = 'lines') {
    this.#unit = unit
  }

  line(): void {
    this.#read++
  }

  /** Counts the outcome of an email that Posthorn did not send and that has no id. */
  notOurs(): void {
    this.#notOurs++
  }

  passedOver(reason: PassedOver | 'refused' | 'too_large'): void {
    count(this.#passedOver, reason)
  }

  answer({ accepted, ignored }: SourceAccepted): void {
    this.#events += accepted
    for (const { reason } of ignored) count(this.#ignored, reason)
  }

  json(): object {
    return {
      [this.#unit]: this.#read,
      events: this.#events,
      not_ours: this.#notOurs,
      ignored: Object.fromEntries(this.#ignored),
      passed_over: Object.fromEntries(this.#passedOver),
    }
  }

  text(): string {
    const rows = [
      `Read ${this.#read} ${this.#unit}, created ${this.#events} events.`,
      ...(this.#notOurs > 0 ? [`Not sent by Posthorn: ${this.#notOurs}.`] : []),
      ...[...this.#ignored].map(([reason, number]) => `Ignored by the service, ${words(reason)}: ${number}.`),
      ...[...this.#passedOver].map(([reason, number]) => `No outcome, ${words(reason)}: ${number}.`),
    ]
    return rows.join('\n')
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}
