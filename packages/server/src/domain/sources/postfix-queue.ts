import type { PostfixDelivery } from './postfix-line.ts'

/** What is known of a mail in Postfix's queue. */
export interface QueueEntry {
  from: string | null
  messageId: string | null
  header: string | null
  /** By recipient: what was last said of a delivery that is tried again. */
  readonly waiting: Map<string, Waiting>
}

export interface Waiting extends Pick<PostfixDelivery, 'origTo' | 'relay' | 'dsn' | 'reason'> {
  readonly attempts: number
}

/** Plain JSON, oldest first: host and instance, queue id, and what is known of that mail. */
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

/** More than a queue should ever hold. Beyond it the oldest mail is forgotten, whose end the log may lack. */
const entriesMax = 200_000

/** The mails that Postfix's log has named and not yet removed. */
export class PostfixQueue {
  /** By host and instance, then by queue id. */
  readonly #scopes = new Map<string, Map<string, QueueEntry>>()

  constructor(memory: PostfixMemory) {
    for (const [scope, queueId, from, messageId, header, waiting] of memory) {
      this.#scope(scope).set(queueId, { from, messageId, header, waiting: new Map(waiting) })
    }
  }

  /** The mail of that queue id, which from now on is remembered. */
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
