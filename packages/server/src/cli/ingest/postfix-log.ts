import { type PostfixDelivery, type PostfixLine, readPostfixMessage, unreadable } from './postfix-line.ts'
import { type PostfixMemory, PostfixQueue, type QueueEntry } from './postfix-queue.ts'
import { type LogClock, readSyslogLine, type SyslogLine } from './syslog-line.ts'

/** The outcome of a mail for one recipient. */
export interface PostfixOutcome {
  readonly disposition: 'accepted' | 'permanent' | 'expired' | 'cancelled'
  /** The envelope sender: Posthorn's return path if Posthorn sent the mail. Null if the log does not contain it. */
  readonly from: string | null
  readonly messageId: string | null
  /** The value of the configured header, if the log contains it. */
  readonly header: string | null
  /** The Postfix program that wrote the line: `smtp`, `lmtp`, `local`. */
  readonly program: string
  readonly recipient: string
  readonly origTo: string | null
  readonly relay: string | null
  readonly dsn: string
  readonly reason: string
  readonly attempts: number
  readonly atMs: number
}

/** Why a delivery's line produces no outcome. */
export const passedOver = [
  /** Postfix is still trying. If it gives up later, it writes another line. */
  'deferred',
  /** An address verification (`sendmail -bv`). No mail was sent. */
  'probe',
  /** The discard transport dropped the mail. */
  'discarded',
  /** The mail went to an alias, a content filter, or a relay that is not the last hop. */
  'handed_on',
  'unreadable',
] as const

export type PassedOver = (typeof passedOver)[number]

export interface PostfixLogOptions extends LogClock {
  /** The lower-case name of the header whose value outcomes contain. */
  readonly header: string | null
  /** Relays whose `250` is not a delivery, as the log names them: `smtp.example.net`, `127.0.0.1:10024`. */
  readonly smarthosts: ReadonlySet<string>
}

/**
 * Parses Postfix's log line by line. The line of a delivery has only the queue id. The sender and the Message-ID are in earlier
 * lines. The recipients of an expired mail are those whose last line is `deferred`.
 */
export class PostfixLog {
  readonly #queue: PostfixQueue

  constructor(memory: PostfixMemory = []) {
    this.#queue = new PostfixQueue(memory)
  }

  /** The state to keep for the next lines, as plain JSON. */
  memory(): PostfixMemory {
    return this.#queue.memory()
  }

  /** The outcomes of a line: none, one, or one for each recipient; or why a delivery's line produces none. */
  take(line: string, options: PostfixLogOptions): readonly PostfixOutcome[] | PassedOver {
    const syslog = readSyslogLine(line, options)
    const [, instance, program] = postfixTag.exec(syslog?.tag ?? '') ?? []
    if (syslog === null || instance === undefined || program === undefined) return []
    const parsed = readPostfixMessage(program, syslog.message)
    if (parsed === null) return []
    if (parsed === unreadable) return 'unreadable'
    return this.#handle(parsed, { ...syslog, program, scope: `${syslog.host} ${instance}` }, options)
  }

  #handle(
    parsed: PostfixLine,
    { scope, ...place }: Place,
    options: PostfixLogOptions,
  ): readonly PostfixOutcome[] | PassedOver {
    const { atMs } = place
    switch (parsed.kind) {
      case 'begun':
        this.#queue.forget(scope, parsed.queueId)
        return []
      case 'sender':
        this.#queue.entry(scope, parsed.queueId).from = parsed.from
        return []
      case 'message_id':
        this.#queue.entry(scope, parsed.queueId).messageId = parsed.messageId
        return []
      case 'header':
        if (parsed.name === options.header) this.#queue.entry(scope, parsed.queueId).header = parsed.value
        return []
      case 'expired':
        return this.#endWaiting(scope, parsed.queueId, 'expired', atMs)
      case 'removed': {
        const ended = parsed.byHand ? this.#endWaiting(scope, parsed.queueId, 'cancelled', atMs) : []
        this.#queue.forget(scope, parsed.queueId)
        return ended
      }
      case 'delivery':
        return this.#delivery(parsed, { ...place, scope }, options)
    }
  }

  #delivery(
    parsed: PostfixDelivery & { queueId: string },
    { atMs, scope, program, host }: Place,
    { smarthosts }: PostfixLogOptions,
  ): readonly PostfixOutcome[] | PassedOver {
    const entry = this.#queue.entry(scope, parsed.queueId)
    switch (parsed.status) {
      case 'sent':
      case 'bounced': {
        const outcome = outcomeOf(entry, parsed, { atMs, program })
        entry.waiting.delete(parsed.recipient)
        if (parsed.status === 'bounced') return [{ ...outcome, disposition: 'permanent' }]
        if (program === 'discard' || parsed.relay === null) return 'discarded'
        if (this.#isHandedOn(parsed, host) || isOneOf(smarthosts, parsed.relay)) return 'handed_on'
        return [{ ...outcome, disposition: 'accepted' }]
      }
      case 'deferred':
      case 'SOFTBOUNCE': {
        const { origTo, relay, dsn, reason } = parsed
        const attempts = (entry.waiting.get(parsed.recipient)?.attempts ?? 0) + 1
        entry.waiting.set(parsed.recipient, { origTo, relay, dsn, reason, attempts })
        return 'deferred'
      }
      case 'deliverable':
      case 'undeliverable':
        return 'probe'
      default:
        return 'unreadable'
    }
  }

  /** Whether the mail went to an alias or another queue of the same machine, whose own lines have the outcome. */
  #isHandedOn({ reason }: PostfixDelivery, host: string): boolean {
    if (/^forwarded as [0-9A-Za-z]{5,24}$/.test(reason)) return true
    const next = /^.*\bqueued as ([0-9A-Za-z]{5,24})\b/s.exec(reason)?.[1]
    return next !== undefined && this.#queue.isQueuedOn(host, next)
  }

  #endWaiting(
    scope: string,
    queueId: string,
    disposition: 'expired' | 'cancelled',
    atMs: number,
  ): PostfixOutcome[] {
    const entry = this.#queue.entry(scope, queueId)
    const ended = [...entry.waiting].map(([recipient, { attempts, ...last }]) => ({
      ...outcomeOf(entry, { recipient, ...last }, { atMs, program: 'qmgr' }),
      attempts,
      disposition,
    }))
    entry.waiting.clear()
    return ended
  }
}

interface Place extends SyslogLine {
  /** Host and instance, because queue ids are unique within them. */
  readonly scope: string
  readonly program: string
}

/** `postfix/smtp` or `postfix-out/relay/smtp`: the instance, an optional name from `master.cf`, and the program. */
const postfixTag = /^(postfix(?:-[\w.-]{1,64})?)\/(?:[\w.-]{1,64}\/){0,2}([\w-]{1,32})$/

function outcomeOf(
  { from, messageId, header, waiting }: QueueEntry,
  { recipient, origTo, relay, dsn, reason }: Omit<PostfixDelivery, 'status'>,
  place: Pick<PostfixOutcome, 'atMs' | 'program'>,
): Omit<PostfixOutcome, 'disposition'> {
  const attempts = (waiting.get(recipient)?.attempts ?? 0) + 1
  return { from, messageId, header, recipient, origTo, relay, dsn, reason, attempts, ...place }
}

/** Whether the names contain a relay such as `mx1.example.org[192.0.2.7]:25`, with or without its port. */
function isOneOf(names: ReadonlySet<string>, relay: string): boolean {
  const name = relay.replace(/\[.*$/s, '')
  return names.has(name) || names.has(name + (/\](:\d{1,5})$/.exec(relay)?.[1] ?? ''))
}
