import { CommandError } from '../command-error.ts'

/** One outcome of a report, as it was written. */
export interface Item {
  /** Where it begins, from 1. */
  readonly line: number
  readonly text: string
}

/** Takes a text apart as it arrives. */
export interface ItemReader {
  push(text: string): Item[]
  /** What the end of the text completes. */
  end(): Item[]
}

/** No service takes more at once. */
export const itemLengthMax = 10 * 1024 * 1024

/** The error for an item that no service would take. */
export function tooLong(line: number): CommandError {
  return new CommandError(
    'line_too_long',
    `what begins on line ${line} is longer than ${itemLengthMax} characters`,
  )
}
