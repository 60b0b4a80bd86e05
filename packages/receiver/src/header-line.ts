import { WebhookVerificationError } from './errors.ts'

/** Anything that looks headers up by name without regard to case, as the `Headers` of the web does. */
export interface HeaderLookup {
  get(name: string): string | null
}

/** The value of the signature header, or all headers of the request in the shape your framework has them. */
export type HeaderInput =
  | string
  | readonly string[]
  | null
  | undefined
  | HeaderLookup
  | { readonly [name: string]: string | readonly string[] | undefined }

/** Finds the one line of the signature header; `name` is in lower case. */
export function headerLine(input: HeaderInput, name: string): string {
  const lines = linesOf(input, name)
  if (lines.length > 1) {
    throw new WebhookVerificationError('header_ambiguous', 'the signature header came more than once')
  }
  const line = lines[0]
  if (line === undefined) throw missing()
  if (typeof line !== 'string') {
    throw new WebhookVerificationError('header_malformed', 'the signature header is not a string')
  }
  return line
}

/** Reports that there is no signature header, or a blank one. */
export function missing(): WebhookVerificationError {
  return new WebhookVerificationError('header_missing', 'the request has no signature header', {
    hint: 'a request without it does not come from Posthorn, or a proxy removes unknown headers',
  })
}

function linesOf(input: unknown, name: string): unknown[] {
  if (input === null || input === undefined) return []
  if (Array.isArray(input)) return input
  if (typeof input !== 'object') return [input]
  if (isLookup(input)) return linesOf(input.get(name), name)
  const lines: unknown[] = []
  for (const [key, value] of Object.entries(input)) {
    // Two spellings of one name are two header lines; taking either would let a proxy choose.
    if (key.length !== name.length || key.toLowerCase() !== name || value === undefined || value === null)
      continue
    if (Array.isArray(value)) lines.push(...value)
    else lines.push(value)
  }
  return lines
}

function isLookup(input: object): input is HeaderLookup {
  return 'get' in input && typeof input.get === 'function'
}
