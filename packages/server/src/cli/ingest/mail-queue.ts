import type { LogOutcome } from './log-outcome.ts'

/** A mail in the queue of a mail server, as far as the log has shown it. */
export interface QueueEntry {
  from: string | null
  messageId: string | null
  header: string | null
  /** The last deferred attempt of each recipient. */
  readonly waiting: Map<string, Waiting>
}

export interface Waiting extends Pick<LogOutcome, 'origTo' | 'relay' | 'dsn' | 'reason' | 'attempts'> {}

/** The state as plain JSON, oldest mail first. */
export type QueueMemory = ReadonlyArray<
  readonly [
    scope: string,
    queueId: string,
    from: string | null,
    messageId: string | null,
    header: string | null,
    waiting: ReadonlyArray<readonly [recipient: string, Waiting]>,
  ]
>

/** More than a queue should ever have. Beyond it the oldest mail is dropped, because the log may lack its end. */
const entriesMax = 200_000

/** The mails that are in the queue of a mail server according to its log. */
export class MailQueue {
  /** By host and instance, then by queue id. */
  readonly #scopes = new Map<string, Map<string, QueueEntry>>()

  constructor(memory: QueueMemory) {
    for (const [scope, queueId, from, messageId, header, waiting] of memory) {
      this.#scope(scope).set(queueId, { from, messageId, header, waiting: new Map(waiting) })
    }
  }

  /** The mail with this queue id. Adds it if it is new. */
  entry(scope: string, queueId: string): QueueEntry {
    const entries = this.#scope(scope)
    const known = entries.get(queueId)
    if (known !== undefined) return known
    const fresh: QueueEntry = { from: null, messageId: null, header: null, waiting: new Map() }
    entries.set(queueId, fresh)
    if (entries.size > entriesMax) entries.delete(entries.keys().next().value ?? '')
    return fresh
  }

  /** The mail of a delivery. Its program may log under another name than the queue manager, and so have its own scope. */
  entryOnHost(host: string, scope: string, queueId: string): QueueEntry {
    if (this.#scopes.get(scope)?.has(queueId) !== true) {
      const others = [...this.#onHost(host)].flatMap(entries => entries.get(queueId) ?? [])
      if (others.length === 1 && others[0] !== undefined) return others[0]
    }
    return this.entry(scope, queueId)
  }

  forget(scope: string, queueId: string): void {
    this.#scopes.get(scope)?.delete(queueId)
  }

  isQueuedOn(host: string, queueId: string): boolean {
    return this.#onHost(host).some(entries => entries.has(queueId))
  }

  memory(): QueueMemory {
    return [...this.#scopes].flatMap(([scope, entries]) =>
      [...entries].map(
        ([queueId, { from, messageId, header, waiting }]) =>
          [scope, queueId, from, messageId, header, [...waiting]] as const,
      ),
    )
  }

  #onHost(host: string): Map<string, QueueEntry>[] {
    return [...this.#scopes].flatMap(([scope, entries]) => (scope.startsWith(`${host} `) ? [entries] : []))
  }

  #scope(scope: string): Map<string, QueueEntry> {
    const known = this.#scopes.get(scope)
    if (known !== undefined) return known
    const fresh = new Map<string, QueueEntry>()
    this.#scopes.set(scope, fresh)
    return fresh
  }
}
