/** What the DNS said about one name and type. */
export type DnsAnswer =
  /** Of a TXT its strings joined, of an MX preference and host. */
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** There is no such name, or nothing of that type. */
  | { readonly kind: 'none' }
  /** No answer, or one that means nothing: asked again it may be another. */
  | { readonly kind: 'failed'; readonly code: string }

/** What a look at one record came to. */
export interface RecordFinding {
  readonly state: 'right' | 'missing' | 'wrong' | 'failed'
  /** What was there, as far as it explains the state. */
  readonly found: readonly string[]
  /** What it means and how to mend it. */
  readonly message: string
}

/** The finding where nobody could be asked. */
export function noAnswer(code: string): RecordFinding {
  const message = `The DNS gave no answer (${code}). That says nothing about the record: check again in a minute.`
  return { state: 'failed', found: [], message }
}

/** `tag=value` pairs of DKIM and DMARC records; names in lower case, blanks around both gone. */
export function recordTags(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim())
  }
  return tags
}
