import { WebhookVerificationError } from './errors.ts'

/** An object that looks up headers by name and ignores case, such as `Headers`. */
export interface HeaderLookup {
  get(name: string): string | null
}

/** The value of the signature header, or all request headers as your framework provides them. */
export type HeaderInput =
  | string
  | readonly string[]
  | null
  | undefined
  | HeaderLookup
  | { readonly [name: string]: string | readonly string[] | undefined }

/** Finds the signature header. `name` is in lower case. */
export function headerLine(input: HeaderInput, name: string): string {
  const lines = linesOf(input, name)
  if (lines.length > 1) throw new WebhookVerificationError('header_ambiguous')
  const line = lines[0] ?? ''
  if (typeof line !== 'string') throw new WebhookVerificationError('header_malformed')
  return line
}

function linesOf(input: unknown, name: string): unknown[] {
  if (input === null || input === undefined) return []
  if (Array.isArray(input)) return input
  if (typeof input !== 'object') return [input]
  if (isLookup(input)) return [input.get(name)]
  // Two spellings of the same name count as two headers, because choosing one would be ambiguous.
  return Object.entries(input)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
}

function isLookup(input: object): input is HeaderLookup {
  return typeof (input as { get?: unknown }).get === 'function'
}
