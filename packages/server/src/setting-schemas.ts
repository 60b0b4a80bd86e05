import { z } from 'zod'
import { splitHosts } from './db/split-hosts.ts'

// Each schema reads a non-empty text. Error messages follow the name of the setting.

export const httpUrl = z
  .url({ protocol: /^https?$/, ...quoting('must be an http or https URL') })
  .transform(url => url.replace(/\/+$/, ''))

/** A secret that callers send in a header; the error does not show it. */
export const headerSecret = z
  .string()
  // Node turns invalid UTF-8 into U+FFFD
  .regex(/^[^\p{Cc}\ufffd]*$/u, ' must be UTF-8 without control characters, because it is sent in a header')
  .min(32, ' must have at least 32 characters')

/** The value may contain a password, so the error does not show it. */
export const postgresUrl = parsed(text => {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Error('it must begin with postgres:// or postgresql://')
  splitHosts(text)
  return text
})

export const ports = parsed(text =>
  text.split(',').map(part => {
    const port = /^\d{1,5}$/.test(part.trim()) ? Number(part) : 0
    if (port < 1 || port > 65_535) throw new Error(`"${part}" is not a port from 1 to 65535`)
    return port
  }),
)

export const flag = oneOf('true', 'false').transform(text => text === 'true')

export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, quoting(`must be one of ${values.join(', ')}`))
}

export function decimal(min: number, max = Number.MAX_VALUE) {
  const what = max === Number.MAX_VALUE ? `a number of at least ${min}` : `a number from ${min} to ${max}`
  return number(/^\d+(\.\d+)?$/, min, max, what)
}

export function whole(min: number, max: number) {
  return number(/^\d+$/, min, max, `a whole number from ${min} to ${max}`)
}

/** A fraction from 0 to 1, or a percentage. */
export const rate = parsed(text => {
  const [, number = '', percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  // scales the text, because 0.08 / 100 is not the double nearest to 0.0008
  const fraction = percent === '%' ? Number(`${number}e-2`) : Number(number)
  if (number === '' || fraction > 1)
    throw new Error(`"${text}" is not a fraction from 0 to 1, or a percentage`)
  return fraction
})

/** A number of units of `unitMs`, converted to milliseconds. */
export function durationMs(unitMs: number, min: number, max?: number) {
  return decimal(min, max).transform(units => units * unitMs)
}

function number(form: RegExp, min: number, max: number, what: string) {
  const fits = (text: string): boolean => form.test(text) && Number(text) >= min && Number(text) <= max
  return z
    .string()
    .refine(fits, quoting(`must be ${what}`))
    .transform(Number)
}

/** @param parse throws an Error with the reason */
export function parsed<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue(`: ${error instanceof Error ? error.message : String(error)}`)
      return z.NEVER
    }
  })
}

function quoting(must: string) {
  return { error: ({ input }: { input?: unknown }) => ` ${must}, not "${String(input)}"` }
}
