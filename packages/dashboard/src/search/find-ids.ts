/** The kinds of things that a pasted text can name. */
export type WantedKind =
  | 'delivery'
  | 'event'
  | 'email'
  | 'replay'
  | 'signing_key'
  | 'endpoint'
  | 'account'
  | 'api_key'
  | 'recipient'
  | 'url'
  | 'sequence'

export interface Wanted {
  readonly kind: WantedKind
  /** All ids of this kind in the text, in order. */
  readonly values: readonly string[]
  /** A guess: any text without spaces may be the id of an email. */
  readonly isGuess?: boolean
}

/** The prefixes of ids, most specific first, because a log line of a delivery also names its event and endpoint. */
const kinds = [
  ['dlv', 'delivery'],
  ['evt', 'event'],
  ['em', 'email'],
  ['rpl', 'replay'],
  ['whk', 'signing_key'],
  ['wh', 'endpoint'],
  ['acct', 'account'],
  ['key', 'api_key'],
] as const

const valuesMax = 10
/** A body's id is near its start. */
const lengthMax = 20_000
/** A secret pasted by mistake is never sent anywhere. */
const secrets = /(?:whsec|phk|pha|phs)_[0-9A-Za-z]*/g

/**
 * What a pasted text may name, best guess first. It finds ids within log lines, headers, JSON, URLs and quotes, and
 * also addresses, URLs and delivery numbers. Any other text without spaces may be an email id.
 */
export function findIds(pasted: string): Wanted[] {
  const text = withoutQuotes(pasted.slice(0, lengthMax).replaceAll(secrets, ' '))
  if (text === '') return []
  const number = /^#\s*([\d,]{1,19})$/.exec(text)?.[1]?.replaceAll(',', '')
  if (number !== undefined) return [{ kind: 'sequence', values: [String(Number(number))] }]
  const url = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : null
  return [
    ...(idOfBody(text) ?? []),
    ...kinds.map(([prefix, kind]) => ({ kind, values: idsIn(text, prefix) })),
    { kind: 'url' as const, values: url === null ? [] : [url] },
    { kind: 'recipient' as const, values: addressesIn(text) },
    { kind: 'email' as const, values: guessedEmailId(text, url), isGuess: true },
  ].filter(({ values }) => values.length > 0)
}

/** A pasted event body stands for its own id, whatever other ids it contains. */
function idOfBody(text: string): Wanted[] | null {
  const id = /^\s*\{.*?"id"\s*:\s*"([^"]*)"/s.exec(text)?.[1] ?? ''
  const kind = kinds.find(([prefix]) => idsIn(id, prefix)[0] === id)?.[1]
  return kind === undefined ? null : [{ kind, values: [id] }]
}

function idsIn(text: string, prefix: (typeof kinds)[number][0]): string[] {
  // email ids can come from any mail system; all others are TypeIDs
  const rest = prefix === 'em' ? '[0-9a-z](?:[0-9a-z_-]{0,123}[0-9a-z])?' : '[0-7][0-9a-hjkmnp-tv-z]{25}'
  const pattern = new RegExp(`(?<![0-9a-z_])${prefix}_${rest}(?![0-9a-z_])`, prefix === 'em' ? 'gi' : 'g')
  return distinct([...text.matchAll(pattern)].map(([id]) => id))
}

function addressesIn(text: string): string[] {
  const spelled = text.includes('@') ? text : text.replaceAll(/%40/g, '@')
  const found = spelled.match(/[^\s"'<>()[\]{},;:\\|`?&/@]{1,64}@[^\s"'<>()[\]{},;:\\|`?&/@]{1,255}/g) ?? []
  return distinct(
    found.map(address => address.replace(/^[a-z_-]{1,20}=(?=[^=]*@)/i, '').replace(/[.!]+$/, '')),
  )
}

function guessedEmailId(text: string, url: string | null): string[] {
  return url === null && /^[\x21-\x7e]{1,128}$/.test(text) ? [text] : []
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, valuesMax)
}

function withoutQuotes(text: string): string {
  return text
    .trim()
    .replace(/^["'`<“‘«(]+/, '')
    .replace(/["'`>”’»),;.]+$/, '')
    .trim()
}
