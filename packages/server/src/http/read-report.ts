import { inSlices } from '../outcomes/in-slices.ts'
import { validationFailed } from './field-errors.ts'
import { jsonElements, tooManyElements } from './json-elements.ts'
import { type JsonOptions, readJson } from './read-json.ts'

/** A parsed report, before validation. */
export interface Report {
  readonly items: readonly unknown[]
  /** Whether the paths of errors start with the position in the report. */
  readonly isList: boolean
}

export interface ReportOptions {
  /** Whether the report is NDJSON. */
  readonly isLines: boolean
  /** As in `JsonOptions`. */
  readonly isForgiving?: boolean
}

export const itemsMax = 1_000
/** In characters. Longer texts are parsed in several turns of the event loop, shorter ones synchronously. */
const inOneTurnMax = 16_384

/**
 * Parses a report: one object, an array, or NDJSON.
 * @throws AppError `malformed_json`, `batch_too_large`, `validation_failed`. For a long text, the promise rejects.
 */
export function readReport(
  text: string,
  { isLines, isForgiving = false }: ReportOptions,
): Report | Promise<Report> {
  if (isLines) return readLines(text, isForgiving)
  const options = { complaint: 'The body is not valid JSON.', isForgiving }
  return text.length > inOneTurnMax ? readLong(text, options) : readWhole(text, options)
}

async function readLong(text: string, options: JsonOptions): Promise<Report> {
  const items = await jsonElements(text, itemsMax, options)
  return items === null ? readWhole(text, options) : listOf(items)
}

function readWhole(text: string, options: JsonOptions): Report {
  const json = readJson(text, options)
  return Array.isArray(json) ? listOf(json) : { items: [json], isList: false }
}

function listOf(items: readonly unknown[]): Report {
  checkCount(items.length)
  return { items, isList: true }
}

function readLines(text: string, isForgiving: boolean): Report | Promise<Report> {
  const lines = linesOf(text)
  checkCount(lines.length)
  const items: unknown[] = []
  const reading = inSlices(lines, (line, index) => {
    items.push(
      readJson(line, { complaint: `Line ${index + 1} is not valid JSON.`, at: [index], isForgiving }),
    )
  })
  const report = { items, isList: true }
  return reading === undefined ? report : reading.then(() => report)
}

/** The lines that are not blank, up to one more than the limit. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const [line] of text.matchAll(/[^ \t\r\n][^\n]*/g)) {
    lines.push(line)
    if (lines.length > itemsMax) break
  }
  return lines
}

function checkCount(count: number): void {
  if (count > itemsMax) throw tooManyElements(itemsMax)
  if (count === 0) throw validationFailed([{ path: '', message: 'must have at least one outcome' }])
}
