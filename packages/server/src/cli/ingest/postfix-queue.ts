import type { PostfixDelivery } from './postfix-line.ts'

/** A mail in Postfix's queue, as far as the log has shown it. */
export interface QueueEntry {
  from: string | null
  messageId: string | null
  header: string | null
  /** The last deferred attempt of each recipient. */
  readonly waiting: Map<string, Waiting>
}

export interface Waiting extends Pick<PostfixDelivery, 'origTo' | 'relay' | 'dsn' | 'reason'> {
  readonly attempts: number
}

/** The state as plain JSON, oldest mail first. */
export type PostfixMemory = ReadonlyArray<
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

/** The mails that are in Postfix's queue according to its log. */
export class PostfixQueue {
  /** By host and instance, then by queue id. */
  readonly #scopes = new Map<string, Map<string, QueueEntry>>()

  constructor(memory: PostfixMemory) {
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

  forget(scope: string, queueId: string): void {
    this.#scopes.get(scope)?.delete(queueId)
  }

  isQueuedOn(host: string, queueId: string): boolean {
    for (const [scope, entries] of this.#scopes) {
      if (scope.startsWith(`${host} `) && entries.has(queueId)) return true
    }
    return false
  }

  memory(): PostfixMemory {
    return [...this.#scopes].flatMap(([scope, entries]) =>
      [...entries].map(
        ([queueId, { from, messageId, header, waiting }]) =>
          [scope, queueId, from, messageId, header, [...waiting]] as const,
      ),
    )
  }

  #scope(scope: string): Map<string, QueueEntry> {
    const known = this.#scopes.get(scope)
    if (known !== undefined) return known
    const fresh = new Map<string, QueueEntry>()
    this.#scopes.set(scope, fresh)
    return fresh
  }
}
