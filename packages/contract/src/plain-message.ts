import type * as z from 'zod'

/**
 * Says what is wrong with a value. The text follows the path of the value. A message in the schema takes precedence.
 *
 * @example
 * schema.safeParse(value, { error: plainMessage }) // /to: must have at least 1 element
 */
export const plainMessage: z.core.$ZodErrorMap = issue => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return isInfinite(issue.input) ? numberTooLarge : `must be ${typeName(issue.expected)}`
    case 'invalid_value':
      return `must be ${either(issue.values.map(value => JSON.stringify(value)))}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return `must be ${formatNames.get(issue.format) ?? 'in the form that the API reference describes'}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return 'is not a known field'
    case 'invalid_union':
      return noBranch(issue)
    case 'invalid_key':
      return `has an invalid name: it ${issue.issues[0]?.message ?? 'is not allowed'}`
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'is not allowed here'
    case 'custom':
      return 'is not allowed here'
    default:
      return undefined
  }
}

/** For a number that is valid JSON but does not fit into a double. */
export const numberTooLarge = 'does not fit exactly into a double (IEEE 754). Send it as a string'

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

const typeNames = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
])

function typeName(expected: string): string {
  return typeNames.get(expected) ?? `of type ${expected}`
}

const formatNames = new Map<string, string>([
  ['base64', 'base64 with padding (RFC 4648, section 4)'],
  ['date', 'a date such as 2026-11-21'],
  ['datetime', 'an RFC 3339 date and time, such as 2026-11-21T04:00:01Z'],
  ['url', 'a URL'],
  ['email', 'an email address'],
])

type Limits = z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const { minimum } = issue
  if (isLength(issue)) return `must have ${howMany(issue, 'at least')} ${units(issue, minimum)}`
  return issue.inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const { maximum } = issue
  if (isLength(issue)) return `must have ${howMany(issue, 'at most')} ${units(issue, maximum)}`
  return issue.inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`
}

function isLength({ origin }: Limits): boolean {
  return origin === 'string' || origin === 'array'
}

function howMany(issue: Limits, bound: 'at least' | 'at most'): string {
  return issue.exact === true ? 'exactly' : bound
}

function units({ origin }: Limits, limit: number | bigint): string {
  const unit = origin === 'string' ? 'character' : 'element'
  return `${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
}

/** Names the types that a union accepts. Unions of more than plain types have their own message. */
function noBranch(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { discriminator, errors, input } = issue
  if (isInfinite(input)) return numberTooLarge
  if (discriminator !== undefined) {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : []
    return `must be ${either(options.map(option => JSON.stringify(option)))}`
  }
  const types = errors.map(([first]) => (first?.code === 'invalid_type' ? typeName(first.expected) : null))
  const known = types.filter(type => type !== null)
  return known.length === types.length
    ? `must be ${either(known)}`
    : 'must be in one of the forms that the API reference describes'
}

function either(choices: readonly string[]): string {
  const last = choices.at(-1) ?? 'something else'
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`
}
