import { AppError } from '../errors.ts'
import { validationFailed } from './field-errors.ts'
import { isJsonBomb } from './json-bomb.ts'
import { jsonFlaws, mayHoldFlaws } from './json-flaws.ts'

export interface JsonOptions {
  /** What is said of a text that is no JSON: one sentence. */
  readonly complaint: string
  /** Where the text stands in the request, for the paths of errors; the top when omitted. */
  readonly at?: readonly PropertyKey[]
  /** Numbers that do not fit into a double are read all the same, for reports with fields that nobody looks at. */
  readonly takesAnyNumber?: boolean
}

/**
 * Reads JSON from outside. What it returns is what was written: no text and no number changes.
 *
 * @throws AppError `malformed_json`; `validation_failed` with the path of each text that is no Unicode and of each
 * number that does not fit into a double
 */
export function readJson(text: string, options: JsonOptions): unknown {
  if (isJsonBomb(text)) throw tooManyParts()
  return readPiece(text, options, beginning)
}

const beginning: PieceStart = { text: 0, element: 0 }

/** Where a piece begins in the whole text, and which element of the whole array its first one is. */
export interface PieceStart {
  readonly text: number
  readonly element: number
}

/** Like `readJson`, for a part of a longer text whose cost is known. */
export function readPiece(text: string, options: JsonOptions, start: PieceStart): unknown {
  const value = parsed(text, options.complaint, start.text)
  if (!mayHoldFlaws(text)) return value
  const { at = [], takesAnyNumber = false } = options
  const flaws = jsonFlaws(text, { at, firstIndex: start.element, takesAnyNumber })
  if (flaws.length > 0) throw validationFailed(flaws)
  return value
}

function parsed(text: string, complaint: string, start: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined
    throw malformed(complaint, position === undefined ? null : start + Number(position))
  }
}

/** The refusal of a text that is no JSON. */
export function malformed(complaint: string, position: number | null): AppError {
  const where = position === null ? '.' : ` (at position ${position}).`
  return new AppError('malformed_json', complaint.replace(/\.$/, where))
}

/** The refusal of a text that would take too long to read. */
export function tooManyParts(): AppError {
  return new AppError(
    'malformed_json',
    'The JSON is nested too deep or has too many parts. Send less in one request.',
  )
}
