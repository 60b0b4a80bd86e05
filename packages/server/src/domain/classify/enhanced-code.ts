/** A parsed enhanced status code (RFC 3463). */
export interface EnhancedCode {
  readonly class: 2 | 4 | 5
  readonly subject: number
  readonly detail: number
}

/** Parses `5.1.1`. Null for other text, and for codes from 5.0.900, which some software invents. */
export function parseEnhancedCode(text: string): EnhancedCode | null {
  const [, digit, subject, detail] = /^([245])\.(\d{1,3})\.(\d{1,3})$/.exec(text.trim()) ?? []
  if (digit === undefined) return null
  const code = { class: classes[digit] ?? 5, subject: Number(subject), detail: Number(detail) }
  return code.subject === 0 && code.detail >= 900 ? null : code
}

export function formatEnhancedCode(code: EnhancedCode): string {
  return `${code.class}.${code.subject}.${code.detail}`
}

/**
 * The more specific of two codes for the same event; the first if both are equal. `x.0.0` is the least specific, and `x.1.0` is
 * less specific than `x.1.1`.
 */
export function moreSpecific(first: EnhancedCode | null, second: EnhancedCode | null): EnhancedCode | null {
  if (first === null || second === null) return first ?? second
  if (first.detail !== 0 || second.detail === 0) return first
  return first.subject === 0 || first.subject === second.subject ? second : first
}

const classes: Readonly<Record<string, 2 | 4 | 5>> = { 2: 2, 4: 4, 5: 5 }
