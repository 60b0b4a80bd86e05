import { type PostfixDelivery, type PostfixLine, readPostfixMessage, unreadable } from './postfix-line.ts'
import { readLogLine } from './log-line.ts'
import type { LogFormat, LogOutcome, PassedOver } from './log-outcome.ts'
import type { LogClock } from './log-time.ts'
import { MailQueue, type QueueEntry, type QueueMemory } from './mail-queue.ts'

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
  readonly #queue: MailQueue

  constructor(memory: QueueMemory = []) {
    this.#queue = new MailQueue(memory)
  }

  /** The state to keep for the next lines, as plain JSON. */
  memory(): QueueMemory {
    return this.#queue.memory()
  }

  /** The outcomes of a line: none, one, or one for each recipient; or why it produces none. */
  take(line: string, options: PostfixLogOptions): readonly LogOutcome[] | PassedOver {
    const found = readLogLine(line, options)
    const [instance, program] = found.tag === null ? ['postfix', null] : programOf(found.tag)
    if (instance === null) return 'unrelated'
    const parsed = readPostfixMessage(program, found.message)
    if (parsed === null) return program === null ? 'not_understood' : []
    if (parsed === unreadable) return 'unreadable'
    return this.#handle(parsed, { ...found, program, scope: `${found.host} ${instance}` }, options)
  }

  #handle(
    parsed: PostfixLine,
    { scope, ...place }: Place,
    options: PostfixLogOptions,
  ): readonly LogOutcome[] | PassedOver {
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
  ): readonly LogOutcome[] | PassedOver {
    const entry = this.#queue.entryOnHost(host, scope, parsed.queueId)
    switch (parsed.status) {
      case 'sent':
      case 'bounced': {
        const outcome = outcomeOf(entry, parsed, { atMs, isPerRecipient: program === 'lmtp' })
        entry.waiting.delete(parsed.recipient)
        if (parsed.status === 'bounced') return [{ ...outcome, disposition: 'permanent' }]
        if (program === 'discard' || parsed.relay === null) return 'discarded'
        if (this.#isHandedOn(parsed, host) || isOneOf(smarthosts, parsed.relay)) return 'handed_on'
        return [{ ...outcome, disposition: 'accepted' }]
      }
      case 'deferred':
      case 'SOFTBOUNCE': {
        const { origTo, relay, dsn, reason } = parsed
        const outcome = outcomeOf(entry, parsed, { atMs, isPerRecipient: program === 'lmtp' })
        const { attempts } = outcome
        entry.waiting.set(parsed.recipient, { origTo, relay, dsn, reason, attempts })
        return attempts === 1 ? [{ ...outcome, disposition: 'temporary' }] : 'deferred'
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
  ): LogOutcome[] {
    const entry = this.#queue.entry(scope, queueId)
    const ended = [...entry.waiting].map(([recipient, { attempts, ...last }]) => ({
      ...outcomeOf(entry, { recipient, ...last }, { atMs, isPerRecipient: false }),
      attempts,
      disposition,
    }))
    entry.waiting.clear()
    return ended
  }
}

interface Place {
  readonly atMs: number
  readonly host: string
  /** Host and instance, because queue ids are unique within them. */
  readonly scope: string
  readonly program: string | null
}

/**
 * The instance and the program in `postfix/smtp` or `mailout/relay/smtp`. The first part is `syslog_name`, which may be
 * anything; the last is the program.
 */
function programOf(tag: string): readonly [instance: string, program: string] | readonly [null, null] {
  const [, instance, program] = /^([\w.-]{1,64})\/(?:[\w.-]{1,64}\/){0,2}([\w-]{1,32})$/.exec(tag) ?? []
  if (instance === undefined || program === undefined) return [null, null]
  return instance.startsWith('postfix') || programs.has(program) ? [instance, program] : [null, null]
}

/** The programs of Postfix that write about mails in the queue, and those that write most of the other lines. */
const programs = new Set(
  (
    'smtp lmtp local virtual pipe error retry discard relay spawn bounce qmgr oqmgr nqmgr cleanup smtpd qmqpd pickup ' +
    'postsuper postscreen trivial-rewrite anvil scache tlsmgr tlsproxy master verify dnsblog proxymap postfix-script'
  ).split(' '),
)

function outcomeOf(
  { from, messageId, header, waiting }: QueueEntry,
  { recipient, origTo, relay, dsn, reason }: Omit<PostfixDelivery, 'status'>,
  place: Pick<LogOutcome, 'atMs' | 'isPerRecipient'>,
): Omit<LogOutcome, 'disposition'> {
  const attempts = (waiting.get(recipient)?.attempts ?? 0) + 1
  return { from, messageId, header, recipient, origTo, relay, dsn, reason, attempts, ...place }
}

/** The log of Postfix, for `posthorn ingest postfix`. */
export function postfixFormat(given: Pick<PostfixLogOptions, 'header' | 'smarthosts'>): LogFormat {
  return {
    source: 'postfix',
    example:
      'Nov 21 04:00:01 mx postfix/smtp[7]: 4F00A1: to=<ann@example.org>, relay=…, dsn=2.0.0, status=sent (250 Ok)',
    open: memory => {
      const log = new PostfixLog(memory as QueueMemory | undefined)
      return { take: (line, clock) => log.take(line, { ...clock, ...given }), memory: () => log.memory() }
    },
  }
}

/** Whether the names contain a relay such as `mx1.example.org[192.0.2.7]:25`, with or without its port. */
export function isOneOf(names: ReadonlySet<string>, relay: string): boolean {
  const name = relay.replace(/\[.*$/s, '')
  return names.has(name) || names.has(name + (/\](:\d{1,5})$/.exec(relay)?.[1] ?? ''))
}
