/** The content of one line of Exim's main log that matters for outcomes. */
export type EximLine =
  /** `<=`: a mail arrived. */
  | { readonly kind: 'arrived'; readonly from: string; readonly messageId: string | null }
  | ({ readonly kind: 'delivery' } & EximDelivery)
  /** The text that an ACL logged about the mail, such as `X-Email-ID: a1`. */
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'completed' }
  /** An administrator removed it or gave up on it: `exim -Mrm`, `exim -Mg`. */
  | { readonly kind: 'removed' }

export interface EximDelivery {
  /** `=>` the first recipient, `->` another one, `>>` delivered while receiving, `*>` not delivered, `**` failed, `==` waits. */
  readonly flag: '=>' | '->' | '>>' | '*>' | '**' | '=='
  /** As Exim delivered it: an address, a file, a pipe, or `:blackhole:`. */
  readonly recipient: string
  /** The address before aliases, if it differs. */
  readonly origTo: string | null
  /** `mx1.example.org[192.0.2.7]:25` */
  readonly relay: string | null
  /** The envelope sender, if the line has it. */
  readonly from: string | null
  /** The reply, or Exim's own message. */
  readonly reason: string
}

/**
 * Parses the text after the mail's id. Replies and addresses come from outside and may imitate fields, so it parses from left
 * to right and never searches for a field.
 *
 * @returns null if the line does not matter for outcomes, `unreadable` if it looks like a delivery but is not one
 */
export function readEximMessage(message: string): EximLine | 'unreadable' | null {
  if (message === 'Completed' || message.startsWith('Completed QT=')) return { kind: 'completed' }
  if (message.startsWith('<= ') || message.startsWith('(= ')) return readArrival(message.slice(3))
  if (/^(?:[=*-]>|>>|\*\*|==) /.test(message)) {
    return readDelivery(message.slice(0, 2) as EximDelivery['flag'], message.slice(3)) ?? 'unreadable'
  }
  if (/^(?:removed|cancelled) by \S/.test(message)) return { kind: 'removed' }
  const [, name, value] = /^([!-9;-~]{1,128}): (\S{1,255})$/.exec(message) ?? []
  return name === undefined || value === undefined
    ? null
    : { kind: 'header', name: name.toLowerCase(), value }
}

/** `id=` is the Message-ID. Fields before it may contain text of the client, but only in quotes. */
function readArrival(rest: string): EximLine | 'unreadable' {
  const [, sender = '', tail = ''] = /^(<>|"(?:\\.|[^"\\])*"\S*|\S+)([^]*)$/.exec(rest) ?? []
  if (sender === '') return 'unreadable'
  const fields = readFields(tail)
  return { kind: 'arrived', from: sender === '<>' ? '' : sender, messageId: fields.values.get('id') ?? null }
}

/**
 * An address, `/a/file` or `|a command`, then the addresses before it. Exim writes a local part with spaces without quotes. In
 * quotes it may contain anything.
 */
const addressPattern = new RegExp(
  '^("(?:\\\\.|[^"\\\\])*"[^\\s:]*' +
    '|:blackhole:' +
    '|[|/][^<>"]{0,400}?(?= <| [A-Z]{1,2}=|: )' +
    '|[^\\s:](?:[^\\s:]|:(?! )| (?![A-Z]{1,3}=|[<(]|(?:routing )?defer \\())*)' +
    '(?: \\([^()]{0,1000}\\))?' +
    '(?: <((?:"(?:\\\\.|[^"\\\\])*"|[^"<>])*)>)?([^]*)$',
)

function readDelivery(flag: EximDelivery['flag'], rest: string): EximLine | null {
  const [, recipient, origTo, tail = ''] = addressPattern.exec(rest) ?? []
  if (recipient === undefined) return null
  const { values, host, rest: end } = readFields(tail)
  const from = values.get('P') ?? values.get('F')
  const confirmation = values.get('C')
  return {
    kind: 'delivery',
    flag,
    recipient,
    origTo: origTo ?? null,
    relay: host,
    from: from === undefined ? null : from.replace(/^<|>$/g, ''),
    reason: unescaped(confirmation ?? end.replace(/^(?: (?:routing )?defer \(-?\d{1,5}\))?:? /, '')),
  }
}

interface Fields {
  readonly values: ReadonlyMap<string, string>
  readonly host: string | null
  /** What follows the fields. */
  readonly rest: string
}

const hostField = / H=(?:\([^\s()]*\) )?(\S+?)(?: \([^\s()]*\))? \[([0-9a-fA-F.:]{2,45})\](?::(\d{1,5}))?/y
const otherField =
  / ([A-Za-z]{1,5})=("(?:\\.|[^"\\])*"|<(?:"(?:\\.|[^"\\])*"|[^"<>])*>|[^\s":<](?:[^\s:]|:(?! ))*|)/y
const flagField = / [A-Z][A-Z0-9]{0,7}[-*]?(?=[ :]|$)/y
/** `==` has its error number before the host. */
const deferField = / (?:routing )?defer \(-?\d{1,5}\)(?= H=)/y

/** Reads ` R=router T=transport H=host [ip] …` from the start of the text. */
function readFields(text: string): Fields {
  const values = new Map<string, string>()
  let host: string | null = null
  for (let at = 0; ; ) {
    const [piece, name, value, port] = fieldAt(text, at)
    if (piece === undefined) return { values, host, rest: text.slice(at) }
    at += piece.length
    if (piece.startsWith(' H=')) host = `${name}[${value}]${port === undefined ? '' : `:${port}`}`
    else if (name !== undefined) values.set(name, (value ?? '').replace(/^"([^]*)"$/, '$1'))
  }
}

function fieldAt(text: string, at: number): readonly (string | undefined)[] {
  for (const field of [hostField, otherField, flagField, deferField]) {
    field.lastIndex = at
    const found = field.exec(text)
    if (found !== null) return found
  }
  return []
}

/** Exim writes line breaks and other control characters of a reply as `\n` or `\ooo`. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:([nrt\\"])|([0-3][0-7]{2}))/g,
    (_, letter: string | undefined, octal: string | undefined) => {
      if (letter === undefined) return String.fromCharCode(Number.parseInt(octal ?? '40', 8))
      return { n: '\n', r: '\r', t: '\t' }[letter] ?? letter
    },
  )
}
