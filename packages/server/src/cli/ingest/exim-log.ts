import { layersOf, readJournalLine } from './container-line.ts'
import { type EximDelivery, type EximLine, readEximMessage } from './exim-line.ts'
import type { LogFormat, LogOutcome, MailLog, PassedOver } from './log-outcome.ts'
import { isoMs, isoTime, type LogClock } from './log-time.ts'
import { MailQueue, type QueueEntry, type QueueMemory } from './mail-queue.ts'
import { isOneOf } from './postfix-log.ts'
import { SplitEntries, type SplitMemory } from './split-entries.ts'
import { readSyslogLine } from './syslog-line.ts'

export interface EximLogOptions {
  /** The lower-case name of the header whose value outcomes contain. */
  readonly header: string | null
  /** Relays whose `250` is not a delivery, as the log names them. */
  readonly smarthosts: ReadonlySet<string>
}

/** The main log of Exim, for `posthorn ingest exim`. */
export function eximFormat(options: EximLogOptions): LogFormat {
  return {
    source: 'exim',
    example:
      '2026-11-21 04:00:01 1tDxyz-00000000abc-1XYZ => ann@example.org R=dnslookup T=remote_smtp H=… C="250 OK"',
    open: memory => new EximLog(options, memory as EximMemory | undefined),
  }
}

type EximMemory = readonly [queue: QueueMemory, split: SplitMemory]

/**
 * Parses Exim's main log line by line: as Exim writes it, or through syslog, journald or a container. The line of a delivery
 * has only the mail's id. The sender and the Message-ID are in the line `<=`.
 */
class EximLog implements MailLog {
  readonly #options: EximLogOptions
  readonly #queue: MailQueue
  readonly #split: SplitEntries

  constructor(options: EximLogOptions, [queue, split]: EximMemory = [[], []]) {
    this.#options = options
    this.#queue = new MailQueue(queue)
    this.#split = new SplitEntries(split)
  }

  memory(): EximMemory {
    return [this.#queue.memory(), this.#split.memory()]
  }

  take(line: string, clock: LogClock): readonly LogOutcome[] | PassedOver {
    const found = this.#find(line, clock)
    if (found === 'no_mail') return []
    if (typeof found === 'string') return found
    const parsed = readEximMessage(found.message)
    if (parsed === null) return []
    if (parsed === 'unreadable') return 'unreadable'
    return this.#handle(parsed, found)
  }

  /** Finds the entry of the main log in a line of any kind. */
  #find(line: string, clock: LogClock): MainLine | 'no_mail' | 'unrelated' | 'not_understood' {
    for (const { text, atMs } of layersOf(line, clock)) {
      const own = readMainLine(text, { atMs: null, host: '' }, clock)
      if (own !== null) return own
      if (noMailPattern.test(text)) return 'no_mail'
      const outer = readSyslogLine(text, clock) ?? readJournalLine(text, clock)
      if (outer !== null) {
        const { host, tag } = outer
        // the name in syslog may be chosen with syslog_processname
        if (!/exim/i.test(tag)) return 'unrelated'
        const whole = this.#split.join(`${host} ${tag}`, outer.message)
        return (whole === null ? null : readMainLine(whole, { atMs: outer.atMs, host }, clock)) ?? 'unrelated'
      }
      const bare = /^exim\S{0,20}: ([^]*)$/.exec(text)?.[1]
      if (bare !== undefined) return readMainLine(bare, { atMs, host: '' }, clock) ?? 'unrelated'
    }
    return timedPattern.test(line) ? 'unrelated' : 'not_understood'
  }

  #handle(parsed: EximLine, { id, host, atMs }: MainLine): readonly LogOutcome[] | PassedOver {
    const scope = `${host} exim`
    switch (parsed.kind) {
      case 'arrived': {
        const entry = this.#queue.entry(scope, id)
        entry.from = parsed.from
        entry.messageId = parsed.messageId
        return []
      }
      case 'header':
        if (parsed.name === this.#options.header) this.#queue.entry(scope, id).header = parsed.value
        return []
      case 'removed': {
        const entry = this.#queue.entry(scope, id)
        const ended = [...entry.waiting].map(([recipient, last]) => ({
          ...outcomeOf(entry, { recipient, from: null, ...last }, atMs),
          attempts: last.attempts,
          disposition: 'cancelled' as const,
        }))
        entry.waiting.clear()
        return ended
      }
      case 'completed':
        this.#queue.forget(scope, id)
        return []
      case 'delivery':
        return this.#delivery(parsed, this.#queue.entry(scope, id), { host, atMs })
    }
  }

  #delivery(
    parsed: EximDelivery,
    entry: QueueEntry,
    { host, atMs }: { host: string; atMs: number },
  ): readonly LogOutcome[] | PassedOver {
    const delivery = withAddress(parsed)
    const { flag, recipient, origTo, relay, reason } = delivery
    const outcome = outcomeOf(entry, delivery, atMs)
    if (flag === '==') {
      const isAttempt = !reason.startsWith('retry time not reached')
      const isFirst = !entry.waiting.has(recipient)
      // without an attempt, the last reply still counts
      if (!isAttempt && !isFirst) return 'deferred'
      entry.waiting.set(recipient, { origTo, relay, dsn: '', reason, attempts: outcome.attempts })
      return isAttempt && isFirst ? [{ ...outcome, disposition: 'temporary' }] : 'deferred'
    }
    const last = entry.waiting.get(recipient)
    entry.waiting.delete(recipient)
    if (flag === '**') {
      const lastReply = reason === 'retry timeout exceeded' &&
        last !== undefined && { relay: last.relay, reason: last.reason }
      return [{ ...outcome, disposition: failureOf(reason), ...lastReply }]
    }
    if (flag === '*>' || /^(?::blackhole:|\/dev\/null)$/.test(parsed.recipient)) return 'discarded'
    const next =
      relay === null
        ? undefined
        : /\bid=([0-9A-Za-z]{6}-[0-9A-Za-z]{6,11}-[0-9A-Za-z]{2,4})\b/.exec(reason)?.[1]
    const isHandedOn = next !== undefined && this.#queue.isQueuedOn(host, next)
    if (isHandedOn || (relay !== null && isOneOf(this.#options.smarthosts, relay))) return 'handed_on'
    return [{ ...outcome, disposition: 'accepted' }]
  }
}

/** One entry of the main log about a mail. */
interface MainLine {
  readonly id: string
  readonly host: string
  readonly atMs: number
  readonly message: string
}

const idPattern = '[0-9A-Za-z]{6}-(?:[0-9A-Za-z]{6}-[0-9A-Za-z]{2}|[0-9A-Za-z]{11}-[0-9A-Za-z]{4})'
const timedPattern = new RegExp(`^${isoTime} (?:\\[\\d{1,10}\\] )?\\S`)
const mainPattern = new RegExp(`^${isoTime} (?:\\[\\d{1,10}\\] )?(${idPattern}) ([^]*)$`)
/** A new log has only these. */
const noMailPattern = new RegExp(
  `^${isoTime} (?:\\[\\d{1,10}\\] )?(?:(?:Start|End) queue run: |exim \\d\\S{0,20} daemon started: )`,
)
/** Through syslog, Exim may leave out its own time. */
const untimedPattern = new RegExp(`^(?:\\[\\d{1,10}\\] )?(${idPattern}) ([^]*)$`)

function readMainLine(
  text: string,
  outer: { atMs: number | null; host: string },
  clock: LogClock,
): MainLine | null {
  const [, moment, zone, id = '', message = ''] = mainPattern.exec(text) ?? []
  if (moment !== undefined) {
    const atMs = isoMs(moment, zone, clock)
    return Number.isNaN(atMs) ? null : { id, host: outer.host, atMs, message: message.trimEnd() }
  }
  const [, untimed, rest = ''] = (outer.atMs === null ? null : untimedPattern.exec(text)) ?? []
  if (untimed === undefined || outer.atMs === null) return null
  return { id: untimed, host: outer.host, atMs: outer.atMs, message: rest.trimEnd() }
}

/** If it is a mailbox, a file, a pipe or without its quotes, only the address before it is one that the customer knows. */
function withAddress(delivery: EximDelivery): EximDelivery {
  if (/^(?:"[^]*"|[^\s|/][^\s]*)@/.test(delivery.recipient)) return delivery
  return { ...delivery, recipient: delivery.origTo ?? '', origTo: null }
}

/** What Exim's own words say about a failure. */
function failureOf(reason: string): 'permanent' | 'expired' | 'cancelled' {
  if (/(?:^|: )delivery cancelled by administrator$/.test(reason)) return 'cancelled'
  const isExpired =
    /(?:^|: )retry timeout exceeded$|^retry time not reached for any host after a long failure period|^all hosts (?:for '[^']*' )?have been failing for a long time/.test(
      reason,
    )
  return isExpired ? 'expired' : 'permanent'
}

function outcomeOf(
  entry: QueueEntry,
  { recipient, origTo, relay, reason, from }: Omit<EximDelivery, 'flag'>,
  atMs: number,
): Omit<LogOutcome, 'disposition'> {
  const attempts = (entry.waiting.get(recipient)?.attempts ?? 0) + 1
  const { messageId, header } = entry
  return {
    from: from ?? entry.from,
    messageId,
    header,
    isPerRecipient: false,
    recipient,
    origTo,
    relay,
    dsn: '',
    reason,
    attempts,
    atMs,
  }
}
