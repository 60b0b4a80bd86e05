import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'

/** Reads an option that must be a whole number; undefined if it is not given. */
export function wholeNumber(input: CommandInput, name: string): number | undefined {
  const text = input.text(name)
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number, not "${text}"`)
}
