/** A record, or the reason why the line is not one. */
export type CsvRecord =
  | { readonly line: number; readonly fields: readonly string[] }
  | { readonly line: number; readonly reason: string }

/** In characters. It limits how much an unclosed quote can swallow. */
const recordLengthMax = 8_192

/**
 * Parses CSV (RFC 4180, with CRLF or LF) as it arrives, and buffers one record at most. It ignores spaces around a field without
 * quotes. After a malformed record, it continues with the next line.
 */
export class CsvReader {
  #buffer = ''
  #line = 1
  /** The rest of a malformed line is being skipped. */
  #isSkipping = false

  push(text: string): CsvRecord[] {
    return this.#read(text, false)
  }

  end(): CsvRecord[] {
    return this.#read('', true)
  }

  #read(more: string, isEnd: boolean): CsvRecord[] {
    const text = this.#buffer + more
    const records: CsvRecord[] = []
    let at = 0
    while (at < text.length) {
      const found = this.#isSkipping ? skipLine(text, at) : recordAt(text, at, isEnd)
      if (found === null) break
      if ('fields' in found && !isBlank(found.fields))
        records.push({ line: this.#line, fields: found.fields })
      if ('reason' in found && !this.#isSkipping) records.push({ line: this.#line, reason: found.reason })
      this.#isSkipping = 'reason' in found && text[found.next - 1] !== '\n'
      for (; at < found.next; at++) if (text[at] === '\n') this.#line++
    }
    this.#buffer = text.slice(at)
    return records
  }
}

/**
 * Writes a record, including the line end. A field that a spreadsheet would run as a formula gets an apostrophe in front, which
 * `CsvReader` removes.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

function csvField(value: string): string {
  const text = /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function withoutApostrophe(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

type Found = { readonly next: number } & ({ readonly fields: string[] } | { readonly reason: string })

/** Null if more text has to arrive first. */
function recordAt(text: string, start: number, isEnd: boolean): Found | null {
  const fields: string[] = []
  for (let at = start; ; at++) {
    const field = text[at] === '"' ? quotedAt(text, at) : bareAt(text, at)
    const isOpen = field === null || field.end >= text.length
    if (isOpen && text.length - start > recordLengthMax) return malformed(text, start, tooLong)
    if (isOpen && !isEnd) return null
    if (field === null) return malformed(text, start, 'has a quote that is not closed')
    fields.push(withoutApostrophe(field.value))
    const ends = lineEnd.exec(text.slice(field.end, field.end + 2))?.[0]
    if (isOpen || ends !== undefined) return { fields, next: field.end + (ends?.length ?? 0) }
    // this may be the first half of CRLF
    if (text[field.end] === '\r' && field.end + 1 === text.length && !isEnd) return null
    if (text[field.end] !== ',') return malformed(text, start, 'has a quote in the wrong place')
    at = field.end
  }
}

const tooLong = `is longer than ${recordLengthMax} characters, or has a quote that is not closed`

const lineEnd = /^\r?\n/

/** A field without quotes. It ends before a comma, a line end or a misplaced quote. */
function bareAt(text: string, start: number): { value: string; end: number } {
  bare.lastIndex = start
  const [value = ''] = bare.exec(text) ?? []
  const end = start + value.length
  // the CR of CRLF is not part of the field
  return { value: value.trim(), end: value.endsWith('\r') && text[end] === '\n' ? end - 1 : end }
}

const bare = /[^",\n]*/y

/** A quoted field; null if the closing quote is missing. */
function quotedAt(text: string, start: number): { value: string; end: number } | null {
  let value = ''
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return null
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    from = quote + 2
  }
}

function malformed(text: string, start: number, reason: string): Found {
  return { ...skipLine(text, start), reason }
}

function skipLine(text: string, start: number): { next: number; reason: string } {
  const newline = text.indexOf('\n', start)
  return { next: newline === -1 ? text.length : newline + 1, reason: '' }
}

function isBlank(fields: readonly string[]): boolean {
  return fields.length === 1 && fields[0] === ''
}
