import { UsageError } from './command-error.ts'

/**
 * Splits an option value into a name and a value.
 * @example
 * keyValue('--header', 'X-Tenant: acme', ':') // ['X-Tenant', 'acme']
 */
export function keyValue(option: string, text: string, separator: ':' | '='): readonly [string, string] {
  const at = text.indexOf(separator)
  const name = text.slice(0, Math.max(0, at)).trim()
  if (name !== '') return [name, text.slice(at + 1).trim()]
  throw new UsageError(`${option} must be "name${separator === ':' ? ': ' : '='}value", not "${text}"`)
}
