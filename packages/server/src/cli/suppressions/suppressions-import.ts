import { routes, type SuppressionImport, suppressionImport } from '@posthorn/contract'
import { csvLine } from '../../suppressions/csv.ts'
import { readCsv } from '../../suppressions/read-csv.ts'
import type { Command, Report } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { type Connection, customerConnection, customerOptions } from '../connection.ts'
import { printError } from '../print.ts'
import { rawRequest } from '../raw-request.ts'
import { type InputStream, streamInput } from '../stream-input.ts'

/** Small enough that a request takes only seconds, even with the embedded database. */
const recordsMax = 5_000

export const suppressionsImport: Command = {
  name: 'suppressions import',
  summary: 'Stop mail to the addresses in a CSV file',
  about: [
    'The first line names the columns, in any order:',
    '  address  required',
    '  reason   default manual',
    '  scope    all_mail (default), all_lists or list',
    '  list     the name of the list, for the scope list',
    'The command ignores other columns, so it can read a file that posthorn suppressions export wrote. If the service',
    'rejects a line, the command prints it, imports all other lines, and exits with 1. You can safely run it again:',
    'suppressions that already exist stay unchanged. Needs an API key with the scope send.',
  ].join('\n'),
  rest: { name: 'file', meaning: 'The file to import. With - or no file, reads standard input.' },
  options: customerOptions,
  examples: [
    'posthorn suppressions import suppressions.csv',
    'posthorn suppressions import suppressions.csv --json | jq -r .rejections[].line',
  ],
  async run(input) {
    const connection = customerConnection(input)
    const tally = new ImportTally(input.flag('json'))
    const isComplete = await streamInput(input, async stream => await importAll(stream, connection, tally))
    return tally.report(!isComplete)
  },
}

async function importAll(
  { chunks, stop, showProgress }: InputStream,
  connection: Connection,
  tally: ImportTally,
): Promise<true> {
  let header: string | null = null
  let part: Array<{ line: number; text: string }> = []
  const flush = async (): Promise<void> => {
    if (header === null) {
      throw new CommandError('file_empty', 'the file is empty: its first line must name the columns')
    }
    const content = { body: header + part.map(({ text }) => text).join(''), contentType: 'text/csv' }
    const response = await rawRequest(connection, routes.importSuppressions, { content, signal: stop })
    tally.count(suppressionImport.parse(await response.json()), part)
    part = []
    showProgress()
  }
  for await (const record of readCsv(chunks)) {
    if ('reason' in record) {
      if (header === null) throw new CommandError('file_malformed', `the first line ${record.reason}`)
      tally.reject(record.line, record.reason)
      continue
    }
    const text = csvLine(record.fields)
    if (header === null) header = text
    else part.push({ line: record.line, text })
    if (part.length === recordsMax) await flush()
  }
  // the service still checks the header of a file without records
  if (part.length > 0 || tally.isEmpty) await flush()
  return true
}

/** How many rejections the JSON report lists; it counts all of them. */
const rejectionsMax = 1_000

class ImportTally {
  #lines = 0
  #added = 0
  #unchanged = 0
  #rejected = 0
  readonly #rejections: Array<{ line: number; reason: string }> = []
  readonly #isQuiet: boolean

  constructor(isQuiet: boolean) {
    this.#isQuiet = isQuiet
  }

  get isEmpty(): boolean {
    return this.#lines === 0
  }

  /** Adds the result of one part, and translates line numbers in the part into line numbers in the file. */
  count(answer: SuppressionImport, part: ReadonlyArray<{ line: number; text: string }>): void {
    this.#added += answer.added
    this.#unchanged += answer.unchanged
    this.#lines += answer.lines - answer.rejected
    const lineInFile = new Map<number, number>()
    let line = 2
    for (const record of part) {
      lineInFile.set(line, record.line)
      line += record.text.split('\n').length - 1
    }
    for (const one of answer.rejections) this.reject(lineInFile.get(one.line) ?? one.line, one.reason)
    // the service lists at most a thousand rejections, but counts all
    this.#rejected += answer.rejected - answer.rejections.length
    this.#lines += answer.rejected - answer.rejections.length
  }

  reject(line: number, reason: string): void {
    this.#lines++
    this.#rejected++
    if (this.#rejections.length < rejectionsMax) this.#rejections.push({ line, reason })
    if (!this.#isQuiet) printError(`line ${line}: ${reason}`)
  }

  report(isStopped: boolean): Report {
    const rejected = this.#rejected
    const counts = `${this.#added} added, ${this.#unchanged} already suppressed, ${rejected} rejected`
    return {
      exitCode: rejected > 0 || isStopped ? 1 : 0,
      json: {
        lines: this.#lines,
        added: this.#added,
        unchanged: this.#unchanged,
        rejected,
        rejections: this.#rejections,
        stopped: isStopped,
      },
      text: [
        `Imported ${this.#lines} lines: ${counts}.`,
        ...(isStopped ? ['Stopped before the end. You can safely run the command again.'] : []),
      ].join('\n'),
    }
  }
}
