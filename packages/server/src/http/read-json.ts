import { AppError } from '../errors.ts'
import { validationFailed } from './field-errors.ts'
import { isJsonBomb } from './json-bomb.ts'
import { jsonFlaws, mayHoldFlaws } from './json-flaws.ts'
import { withoutHalves } from './json-halves.ts'

export interface JsonOptions {
  /** The error message if the text is not JSON: one sentence. */
  readonly complaint: string
  /** The position of the text in the request, for the paths of errors. Defaults to the top. */
  readonly at?: readonly PropertyKey[]
  /**
   * For reports that another program wrote, with fields that Posthorn does not read: half of a surrogate pair becomes U+FFFD,
   * and numbers need not fit into a double.
   */
  readonly isForgiving?: boolean
}

/**
 * Parses JSON from a request. Unless it is forgiving, it throws rather than change a text or a number.
 *
 * @throws AppError `malformed_json`, or `validation_failed` with the path of each text that is not valid Unicode and each
 * number that does not fit exactly into a double
 */
export function readJson(text: string, options: JsonOptions): unknown {
  if (isJsonBomb(text)) throw tooManyParts()
  return readPiece(text, options, beginning)
}

const beginning: PieceStart = { text: 0, element: 0 }

/** The position of a slice in the text, and the index of its first element. */
export interface PieceStart {
  readonly text: number
  readonly element: number
}

/** Like `readJson`, for a slice of a longer text that was already checked for its size. */
export function readPiece(text: string, options: JsonOptions, start: PieceStart): unknown {
  const { complaint, at = [], isForgiving = false } = options
  if (isForgiving) return parsed(withoutHalves(text), complaint, start.text)
  const value = parsed(text, complaint, start.text)
  if (!mayHoldFlaws(text)) return value
  const flaws = jsonFlaws(text, { at, firstIndex: start.element })
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

/** The error for a text that is not JSON. */
export function malformed(complaint: string, position: number | null): AppError {
  const where = position === null ? '.' : ` (at position ${position}).`
  return new AppError('malformed_json', complaint.replace(/\.$/, where))
}

/** The error for a text that is too expensive to parse. */
export function tooManyParts(): AppError {
  return new AppError(
    'malformed_json',
    'The JSON is nested too deeply or has too many fields and elements. Send less in one request.',
  )
}
