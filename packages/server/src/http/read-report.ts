import { AppError } from '../errors.ts'
import { inSlices } from '../outcomes/in-slices.ts'
import { validationFailed } from './field-errors.ts'
import { jsonElements } from './json-elements.ts'
import { parseJson } from './read-request.ts'

/** A report as it came, before its content is checked. */
export interface Report {
  readonly items: readonly unknown[]
  /** Whether a position in the report belongs into the path of an error. */
  readonly isList: boolean
}

const itemsMax = 1_000
/** Lines read in one turn of the event loop. */
const sliceMax = 20
/** In characters. Longer texts are read in several turns of the event loop; shorter ones on return, without a promise. */
const inOneTurnMax = 16_384

/**
 * Takes a report apart: one object, an array of them, or one on each line.
 * @throws AppError `malformed_json`, `batch_too_large`, `validation_failed`; of a long text the promise is rejected with it
 */
export function readReport(text: string, isLines: boolean): Report | Promise<Report> {
  if (isLines) return readLines(text)
  return text.length > inOneTurnMax ? readLong(text) : readWhole(text)
}

async function readLong(text: string): Promise<Report> {
  const items = await jsonElements(text, itemsMax)
  return items === null ? readWhole(text) : { items, isList: true }
}

function readWhole(text: string): Report {
  const json = parseJson(text, 'The body is not valid JSON.')
  if (!Array.isArray(json)) return { items: [json], isList: false }
  checkCount(json.length)
  return { items: json, isList: true }
}

function readLines(text: string): Report | Promise<Report> {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  checkCount(lines.length)
  const items: unknown[] = []
  const reading = inSlices(lines, sliceMax, (line, index) => {
    items.push(parseJson(line, `Line ${index + 1} is not valid JSON.`))
  })
  const report = { items, isList: true }
  return reading === undefined ? report : reading.then(() => report)
}

function checkCount(count: number): void {
  if (count > itemsMax) {
    throw new AppError(
      'batch_too_large',
      `A report holds at most ${itemsMax} outcomes; this one has ${count}.`,
    )
  }
  if (count === 0) throw validationFailed([{ path: '', message: 'must hold at least one outcome' }])
}
