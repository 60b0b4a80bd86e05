import { CommandError } from '../command-error.ts'

/** The text of one outcome in a report. */
export interface Item {
  /** The line on which it starts; the first is 1. */
  readonly line: number
  readonly text: string
}

/** Splits a text into items as it arrives. */
export interface ItemReader {
  push(text: string): Item[]
  /** The items that the end of the text completes. */
  end(): Item[]
}

/** The service never accepts a larger report. */
export const itemLengthMax = 10 * 1024 * 1024

/** The error for an item that the service never accepts. */
export function tooLong(line: number): CommandError {
  return new CommandError(
    'line_too_long',
    `the outcome that starts on line ${line} is longer than ${itemLengthMax} characters`,
  )
}
