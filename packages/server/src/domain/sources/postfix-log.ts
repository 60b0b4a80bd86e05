import { type PostfixDelivery, type PostfixLine, readPostfixMessage, unreadable } from './postfix-line.ts'
import { type PostfixMemory, PostfixQueue, type QueueEntry } from './postfix-queue.ts'
import { type LogClock, readSyslogLine, type SyslogLine } from './syslog-line.ts'

/** What became of a mail for one recipient, as the log has it. */
export interface PostfixOutcome {
  readonly disposition: 'accepted' | 'permanent' | 'expired' | 'cancelled'
  /** The envelope's sender: Posthorn's return path, when Posthorn sent the mail. Null when the log never said it. */
  readonly from: string | null
  readonly messageId: string | null
  /** The header that was asked for, when the log has it. */
  readonly header: string | null
  /** Of Postfix, that wrote the line: `smtp`, `lmtp`, `local`. */
  readonly program: string
  readonly recipient: string
  readonly origTo: string | null
  readonly relay: string | null
  readonly dsn: string
  readonly reason: string
  readonly attempts: number
  readonly atMs: number
}

/** Why a line with the outcome of a delivery is passed over. */
export const passedOver = [
  /** Postfix still tries; what it gives up later has its own line. */
  'deferred',
  /** The answer to a question (`sendmail -bv`, address verification); no mail was sent. */
  'probe',
  /** The discard transport threw it away. */
  'discarded',
  /** Handed to another queue entry: an alias, a content filter, or a relay that is not the last hop. */
  'handed_on',
  'unreadable',
] as const

export type PassedOver = (typeof passedOver)[number]

export interface PostfixLogOptions extends LogClock {
  /** Name of the header, in lower case, whose value is looked for. */
  readonly header: string | null
  /** Relays whose `250` is no delivery, as the log names them: `smtp.example.net`, `127.0.0.1:10024`. */
  readonly smarthosts: ReadonlySet<string>
}

/**
 * Follows Postfix's log line by line. A delivery's line names the queue id alone: sender and Message-ID stand in
 * earlier lines, and an expired mail's recipients are those whose last line said `deferred`.
 */
export class PostfixLog {
  readonly #queue: PostfixQueue

  constructor(memory: PostfixMemory = []) {
    this.#queue = new PostfixQueue(memory)
  }

  /** What has to be remembered until the next line, as plain JSON. */
  memory(): PostfixMemory {
    return this.#queue.memory()
  }

  /** What the line says of outcomes: none, one, or one for each recipient; or why it is passed over. */
  take(line: string, options: PostfixLogOptions): readonly PostfixOutcome[] | PassedOver {
    const syslog = readSyslogLine(line, options)
    const [, instance, program] = postfixTag.exec(syslog?.tag ?? '') ?? []
    if (syslog === null || instance === undefined || program === undefined) return []
    const said = readPostfixMessage(program, syslog.message)
    if (said === null) return []
    if (said === unreadable) return 'unreadable'
    return this.#understand(said, { ...syslog, program, scope: `${syslog.host} ${instance}` }, options)
  }

  #understand(
    said: PostfixLine,
    { scope, ...place }: Place,
    options: PostfixLogOptions,
  ): readonly PostfixOutcome[] | PassedOver {
    const { atMs } = place
    switch (said.kind) {
      case 'begun':
        this.#queue.forget(scope, said.queueId)
        return []
      case 'sender':
        this.#queue.entry(scope, said.queueId).from = said.from
        return []
      case 'message_id':
        this.#queue.entry(scope, said.queueId).messageId = said.messageId
        return []
      case 'header':
        if (said.name === options.header) this.#queue.entry(scope, said.queueId).header = said.value
        return []
      case 'expired':
        return this.#endWaiting(scope, said.queueId, 'expired', atMs)
      case 'removed': {
        const ended = said.byHand ? this.#endWaiting(scope, said.queueId, 'cancelled', atMs) : []
        this.#queue.forget(scope, said.queueId)
        return ended
      }
      case 'delivery':
        return this.#delivery(said, { ...place, scope }, options)
    }
  }

  #delivery(
    said: PostfixDelivery & { queueId: string },
    { atMs, scope, program, host }: Place,
    { smarthosts }: PostfixLogOptions,
  ): readonly PostfixOutcome[] | PassedOver {
    const entry = this.#queue.entry(scope, said.queueId)
    switch (said.status) {
      case 'sent':
      case 'bounced': {
        const outcome = outcomeOf(entry, said, { atMs, program })
        entry.waiting.delete(said.recipient)
        if (said.status === 'bounced') return [{ ...outcome, disposition: 'permanent' }]
        if (program === 'discard' || said.relay === null) return 'discarded'
        if (this.#isHandedOn(said, host) || isOneOf(smarthosts, said.relay)) return 'handed_on'
        return [{ ...outcome, disposition: 'accepted' }]
      }
      case 'deferred':
      case 'SOFTBOUNCE': {
        const { origTo, relay, dsn, reason } = said
        const attempts = (entry.waiting.get(said.recipient)?.attempts ?? 0) + 1
        entry.waiting.set(said.recipient, { origTo, relay, dsn, reason, attempts })
        return 'deferred'
      }
      case 'deliverable':
      case 'undeliverable':
        return 'probe'
      default:
        return 'unreadable'
    }
  }

  /** An alias, or another queue of the same machine, which will say itself what becomes of the mail. */
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
  /** Host and instance: queue ids are unique within them. */
  readonly scope: string
  readonly program: string
}

/** `postfix/smtp`, `postfix-out/relay/smtp`: the instance, what `master.cf` may put between, the program. */
const postfixTag = /^(postfix(?:-[\w.-]{1,64})?)\/(?:[\w.-]{1,64}\/){0,2}([\w-]{1,32})$/

function outcomeOf(
  { from, messageId, header, waiting }: QueueEntry,
  { recipient, origTo, relay, dsn, reason }: Omit<PostfixDelivery, 'status'>,
  place: Pick<PostfixOutcome, 'atMs' | 'program'>,
): Omit<PostfixOutcome, 'disposition'> {
  const attempts = (waiting.get(recipient)?.attempts ?? 0) + 1
  return { from, messageId, header, recipient, origTo, relay, dsn, reason, attempts, ...place }
}

/** `mx1.example.org[192.0.2.7]:25` by its name, with or without the port. */
function isOneOf(names: ReadonlySet<string>, relay: string): boolean {
  const name = relay.replace(/\[.*$/s, '')
  return names.has(name) || names.has(name + (/\](:\d{1,5})$/.exec(relay)?.[1] ?? ''))
}
