import { routes, type SuppressionImport, suppressionImport } from '@posthorn/contract'
import { type CsvRecord, csvLine, CsvReader } from '../../domain/csv.ts'
import type { Command, Report } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { type Connection, customerConnection, customerOptions } from '../connection.ts'
import { openInput } from '../open-input.ts'
import { complain } from '../print.ts'
import { progressBar } from '../progress-bar.ts'
import { rawRequest } from '../raw-request.ts'
import { stopSignal } from '../stop-signal.ts'

/** So that a request takes seconds, even at the embedded database. */
const recordsMax = 5_000

export const suppressionsImport: Command = {
  name: 'suppressions import',
  summary: 'Stop mail to the addresses in a CSV file',
  about: [
    'The first line names the columns: address, and if you like reason (default manual), scope (all_mail, all_lists or',
    'list; default all_mail) and list, in any order. Other columns are ignored. It names each line that is rejected,',
    'stores all others, and then exits with 1. Running it again is safe: what is suppressed already stays as it is.',
    'Takes what posthorn suppressions export writes. Needs an API key with the scope send.',
  ].join('\n'),
  rest: { name: 'file', meaning: 'What to import; - or none reads standard input.' },
  options: customerOptions,
  examples: [
    'posthorn suppressions import suppressions.csv',
    'posthorn suppressions import suppressions.csv --json | jq -r .rejections[].line',
  ],
  async run(input) {
    const isQuiet = input.flag('json')
    const connection = customerConnection(input)
    using source = openInput(input.rest)
    const stop = stopSignal()
    const bar =
      !isQuiet && process.stderr.isTTY && source.size !== null ? progressBar(process.stderr, ' bytes') : null
    const tally = new ImportTally(isQuiet)
    const isWhole = await importAll(source.chunks(stop), connection, {
      tally,
      onPart: () => bar?.show(source.read(), source.size ?? 0),
      stop,
    }).catch((error: unknown) => {
      if (stop.aborted) return false
      throw error
    })
    bar?.end()
    return tally.report(!isWhole)
  },
}

interface Importing {
  readonly tally: ImportTally
  readonly onPart: () => void
  readonly stop: AbortSignal
}

async function importAll(
  chunks: AsyncIterable<Uint8Array>,
  connection: Connection,
  { tally, onPart, stop }: Importing,
): Promise<true> {
  let header: string | null = null
  let part: Array<{ line: number; text: string }> = []
  const flush = async (): Promise<void> => {
    if (header === null)
      throw new CommandError('file_empty', 'the file is empty: its first line names the columns')
    const content = { body: header + part.map(({ text }) => text).join(''), contentType: 'text/csv' }
    const response = await rawRequest(connection, routes.importSuppressions, { content, signal: stop })
    tally.count(suppressionImport.parse(await response.json()), part)
    part = []
    onPart()
  }
  for await (const record of recordsOf(chunks)) {
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
  // a file without records has a header that may be wrong
  if (part.length > 0 || tally.isEmpty) await flush()
  return true
}

async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord, void> {
  // what is no UTF-8 becomes U+FFFD, which the service rejects line by line
  const decoder = new TextDecoder()
  const reader = new CsvReader()
  for await (const chunk of chunks) yield* reader.push(decoder.decode(chunk, { stream: true }))
  yield* reader.push(decoder.decode())
  yield* reader.end()
}

/** So many rejections are in the JSON report; all of them are counted. */
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

  /** Of records that span several lines the service has seen them one by one, so it knows only their order. */
  count(answer: SuppressionImport, part: ReadonlyArray<{ line: number; text: string }>): void {
    this.#added += answer.added
    this.#unchanged += answer.unchanged
    this.#lines += answer.lines - answer.rejected
    const lineThere = new Map<number, number>()
    let line = 2
    for (const record of part) {
      lineThere.set(line, record.line)
      line += record.text.split('\n').length - 1
    }
    for (const one of answer.rejections) this.reject(lineThere.get(one.line) ?? one.line, one.reason)
    // the service names a thousand
    this.#rejected += answer.rejected - answer.rejections.length
    this.#lines += answer.rejected - answer.rejections.length
  }

  reject(line: number, reason: string): void {
    this.#lines++
    this.#rejected++
    if (this.#rejections.length < rejectionsMax) this.#rejections.push({ line, reason })
    if (!this.#isQuiet) complain(`line ${line}: ${reason}`)
  }

  report(isStopped: boolean): Report {
    const rejected = this.#rejected
    const counts = `${this.#added} added, ${this.#unchanged} suppressed before, ${rejected} rejected`
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
        ...(isStopped ? ['Stopped before the end. It is safe to run the command again.'] : []),
      ].join('\n'),
    }
  }
}
