/** An enhanced status code of RFC 3463, taken apart. */
export interface EnhancedCode {
  readonly class: 2 | 4 | 5
  readonly subject: number
  readonly detail: number
}

/** Reads `5.1.1`; null for anything else, also for the codes from 5.0.900 that some software makes up for itself. */
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
 * Of two codes for the same event the one to believe: the first, unless it says less than the second. `x.0.0` says
 * nothing, and `x.1.0` less than `x.1.1`.
 */
export function moreSpecific(first: EnhancedCode | null, second: EnhancedCode | null): EnhancedCode | null {
  if (first === null || second === null) return first ?? second
  if (first.detail !== 0 || second.detail === 0) return first
  return first.subject === 0 || first.subject === second.subject ? second : first
}

const classes: Readonly<Record<string, 2 | 4 | 5>> = { 2: 2, 4: 4, 5: 5 }
