/** The answer of DNS for one name and type. */
export type DnsAnswer =
  /** For TXT the joined strings; for MX the preference and the host; for CNAME the target. */
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** The name does not exist or has no record of this type. */
  | { readonly kind: 'none' }
  /** No usable answer. A later query may succeed. */
  | { readonly kind: 'failed'; readonly code: string }

/** The result of checking one record. */
export interface RecordFinding {
  readonly state: 'right' | 'missing' | 'wrong' | 'failed'
  /** The published values that explain the state. */
  readonly found: readonly string[]
  /** What the state means and how to fix the record. */
  readonly message: string
}

/** The result if DNS could not be queried. */
export function noAnswer(code: string): RecordFinding {
  const message = `DNS did not answer (${code}), so the state of the record is unknown. Check again in a minute.`
  return { state: 'failed', found: [], message }
}

/** The `tag=value` pairs of a DKIM or DMARC record, trimmed and with lower-case names. */
export function recordTags(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim())
  }
  return tags
}
