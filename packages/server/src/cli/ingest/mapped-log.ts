import type { LineMap, MappedField } from './line-map.ts'
import { cellItem, jsonItems, type LineItem, pairItem, readCells } from './line-items.ts'
import { readLogLine } from './log-line.ts'
import type { LogFormat, LogOutcome, MailLog, PassedOver } from './log-outcome.ts'
import { isoMs, isoTime, type LogClock } from './log-time.ts'

/** A log that a map describes, for `posthorn ingest lines`. */
export function mappedFormat(map: LineMap): LogFormat {
  return {
    source: 'lines',
    example: exampleOf(map),
    open: memory => new MappedLog(map, (memory ?? []) as readonly string[]),
  }
}

function exampleOf({ format, columns, fields, each }: LineMap): string {
  const recipient = [fields.recipient].flat()[0] ?? ''
  if (format === 'pairs') return `… ${recipient}=<ann@example.org> …`
  if (format === 'json') return each === undefined ? `{"${recipient}":…}` : `{"${each}":[{"${recipient}":…}]}`
  return columns === undefined ? `…,${recipient},… (a header)` : columns.join(',')
}

class MappedLog implements MailLog {
  readonly #map: LineMap
  /** Of CSV: those in the last header. */
  #columns: readonly string[]

  constructor(map: LineMap, columns: readonly string[]) {
    this.#map = map
    this.#columns = map.columns ?? columns
  }

  memory(): readonly string[] {
    return this.#columns
  }

  take(line: string, clock: LogClock): readonly LogOutcome[] | PassedOver {
    const found = this.#items(line, clock)
    if (typeof found === 'string') return found
    const taken = found.items.map(item => this.#outcomesOf(item, found.atMs, clock))
    const outcomes = taken.flatMap(one => (typeof one === 'string' ? [] : one))
    const first = taken.find(one => typeof one === 'string')
    return outcomes.length === 0 && first !== undefined ? first : outcomes
  }

  #items(
    line: string,
    clock: LogClock,
  ): { items: LineItem[]; atMs: number } | 'unrelated' | 'not_understood' {
    const atMs = clock.latestMs
    switch (this.#map.format) {
      case 'csv': {
        const cells = readCells(line.trimEnd())
        if (cells === null) return 'not_understood'
        if (this.#isHeader(cells)) {
          this.#columns = cells
          return { items: [], atMs }
        }
        // another number of cells means that the columns are others
        if (this.#columns.length !== cells.length) return 'not_understood'
        return { items: [cellItem(this.#columns, cells)], atMs }
      }
      case 'json': {
        const items = jsonItems(line, this.#map.each)
        return items === null ? 'not_understood' : { items, atMs }
      }
      case 'pairs': {
        const { tag, message, atMs: loggedMs } = readLogLine(line, clock)
        const { program } = this.#map
        if (program !== undefined && tag !== null && tag !== program) return 'unrelated'
        const item = pairItem(message)
        if (item === null) return tag === null ? 'not_understood' : 'unrelated'
        return { items: [item], atMs: loggedMs }
      }
    }
  }

  /** A header has the name of the recipient's column as a cell. */
  #isHeader(cells: readonly string[]): boolean {
    return (
      this.#map.columns === undefined &&
      [this.#map.fields.recipient].flat().some(name => cells.includes(name))
    )
  }

  #outcomesOf(item: LineItem, loggedMs: number, clock: LogClock): readonly LogOutcome[] | PassedOver {
    const { results } = this.#map
    const result = results.find(({ when }) =>
      Object.entries(when).every(([place, expected]) => isOneOf(textOf(item(place)), [expected].flat())),
    )
    if (result === undefined) return []
    const { disposition } = result
    const field = (name: MappedField): string => this.#textAt(item, name)
    const recipients = this.#recipients(item)
    if (recipients.length === 0) return 'unreadable'
    const from = field('return_path')
    const attempts = Number(field('attempts'))
    const outcome = {
      disposition: disposition === 'deferred' ? ('temporary' as const) : disposition,
      from: from === '' ? null : addressIn(from),
      messageId: orNull(field('message_id').replace(/^<|>$/g, '')),
      header: orNull(field('email_id')),
      isPerRecipient: false,
      origTo: orNull(addressIn(field('original_recipient'))),
      relay: relayOf(field('relay'), field('relay_ip')),
      dsn: /[245]\.\d{1,3}\.\d{1,3}/.exec(field('status'))?.[0] ?? '',
      reason: field('reply').replace(/^smtp; ?/i, ''),
      attempts: Number.isInteger(attempts) && attempts > 0 ? attempts : 1,
      atMs: momentOf(field('occurred_at'), clock) ?? loggedMs,
    }
    return recipients.map(recipient => ({ ...outcome, recipient }))
  }

  #recipients(item: LineItem): string[] {
    const found = [this.#map.fields.recipient]
      .flat()
      .map(item)
      .find(value => textOf(value) !== '')
    return (Array.isArray(found) ? found : [found])
      .map(one => addressIn(textOf(one)))
      .filter(one => one !== '')
  }

  #textAt(item: LineItem, name: MappedField): string {
    const places = [this.#map.fields[name] ?? []].flat()
    return places.map(place => textOf(item(place))).find(text => text !== '') ?? ''
  }
}

/** A list counts as its first value. */
function textOf(value: unknown): string {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one.trim() : typeof one === 'number' ? String(one) : ''
}

function isOneOf(text: string, expected: readonly string[]): boolean {
  return expected.some(one => (one.endsWith('*') ? text.startsWith(one.slice(0, -1)) : text === one))
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

/** The address in `<ann@example.org>` or `rfc822;ann@example.org`; empty for `-`. */
function addressIn(text: string): string {
  const bare = text.replace(/^rfc822; ?/i, '').replace(/^<([^]*)>$/, '$1')
  return bare === '-' ? '' : bare
}

/** Names and addresses in any order: `mx1.example.org (192.0.2.7)`, `192.0.2.7 (mx1.example.org)`. */
function relayOf(name: string, ip: string): string | null {
  const words = `${name} ${ip}`.split(/[\s()[\],]+/).filter(word => word !== '' && word !== '-')
  const address = words.find(word => /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:)[0-9a-fA-F:.]{2,45})$/.test(word))
  const host = words.find(word => word !== address && /^[\w.-]{1,255}$/.test(word))
  if (address === undefined) return host ?? null
  return `${host ?? address}[${address}]`
}

const timePattern = new RegExp(`^${isoTime}$`)

/** ISO 8601, or seconds or milliseconds since 1970. Null for anything else. */
function momentOf(text: string, clock: LogClock): number | null {
  const [, moment, zone] = timePattern.exec(text) ?? []
  const ms = moment === undefined ? epochMs(text) : isoMs(moment, zone, clock)
  return Number.isNaN(ms) ? null : ms
}

function epochMs(text: string): number {
  if (!/^\d{9,13}(?:\.\d{1,9})?$/.test(text)) return Number.NaN
  return Math.floor(Number(text) * (text.split('.')[0]?.length === 13 ? 1 : 1_000))
}
