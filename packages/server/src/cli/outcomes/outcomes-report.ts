import { outcomesAccepted, routes } from '@posthorn/contract'
import { createHash } from 'node:crypto'
import type { Command } from '../command.ts'
import { type Connection, customerOptions, reporterConnection } from '../connection.ts'
import { printWaiting, untilServed } from '../follow-deliveries.ts'
import { rawRequest } from '../raw-request.ts'
import { streamInput } from '../stream-input.ts'
import type { Item } from './item.ts'
import { readItems } from './read-items.ts'
import { type Outcome, reportBatch, type SendReport } from './report-batch.ts'
import { ReportTally } from './report-tally.ts'

/** The service's limits for one report, with a margin in bytes for the longest line. */
const outcomesMax = 1_000
const lengthMax = 4 * 1024 * 1024

export const outcomesReport: Command = {
  name: 'outcomes report',
  summary: 'Report email outcomes from a file or standard input',
  about: [
    'Reads a JSON array, or one JSON object per line (NDJSON), of any size. docs/report-outcomes.md lists the fields.',
    'If the service refuses a line, the command prints it, reports all other lines, and exits with 1.',
    'You can safely run it again: it gives an outcome without outcome_id an id made from its text, and the service',
    'ignores outcomes that it already has. For the same reason, two equal lines count once.',
    'Needs an API key with the scope ingest, or the operator token. The operator sets account_id on each line.',
  ].join('\n'),
  rest: { name: 'file', meaning: 'The file to report. With - or no file, reads standard input.' },
  options: customerOptions,
  examples: [
    'posthorn outcomes report outcomes.ndjson',
    'posthorn outcomes report outcomes.json --json',
    'jq -c .results[] export.json | posthorn outcomes report',
  ],
  async run(input) {
    const connection = reporterConnection(input)
    const tally = new ReportTally(input.flag('json'))
    const isComplete = await streamInput(input, async ({ chunks, stop, showProgress }) => {
      return await reportAll(chunks, { send: retryingSender(connection, stop), tally, showProgress })
    })
    return tally.report(!isComplete)
  },
}

interface Reporting {
  readonly send: SendReport
  readonly tally: ReportTally
  readonly showProgress: () => void
}

/** False if stopped before the end. */
async function reportAll(
  chunks: AsyncIterable<Uint8Array>,
  { send, tally, showProgress }: Reporting,
): Promise<boolean> {
  let batch: Outcome[] = []
  let length = 0
  // counts refused items too, to limit the refusals in memory
  let items = 0
  const flush = async (): Promise<boolean> => {
    const isReported = await reportBatch(batch, send, tally)
    tally.printRefusals()
    batch = []
    length = 0
    items = 0
    showProgress()
    return isReported
  }
  try {
    for await (const item of readItems(chunks)) {
      const made = withOutcomeId(item)
      if ('reason' in made) tally.refuse(item.line, made.reason)
      else {
        if (length + made.json.length > lengthMax && !(await flush())) return false
        batch.push({ line: item.line, json: made.json })
        length += made.json.length
      }
      items++
      if (items === outcomesMax && !(await flush())) return false
    }
    return await flush()
  } finally {
    tally.printRefusals()
  }
}

/** Waits while the service restarts or is overloaded. It is an error if the service has never answered. */
function retryingSender(connection: Connection, stop: AbortSignal): SendReport {
  let hasAnswered = false
  const route = routes.reportOutcomes
  return async body => {
    const ask = async () => {
      const content = { body, contentType: 'application/json' }
      const signal = AbortSignal.any([stop, AbortSignal.timeout(answerMsMax)])
      const response = await rawRequest(connection, route, { content, signal })
      const answer = outcomesAccepted.parse(await response.json())
      hasAnswered = true
      return answer
    }
    if (hasAnswered) return await untilServed(ask, { stop, onWait: printWaiting })
    try {
      return await ask()
    } catch (error) {
      if (stop.aborted) return null
      throw error
    }
  }
}

const answerMsMax = 60_000

/**
 * Adds an id made from the text if the outcome has none, so that the service ignores it when it is reported again.
 * Returns a reason instead if the item cannot be an outcome.
 */
function withOutcomeId({ text }: Item): { readonly json: string } | { readonly reason: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { reason: `is not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { reason: 'must be a JSON object' }
  }
  if ('outcome_id' in value || Object.keys(value).length === 0) return { json: text }
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32)
  // the other fields keep their exact text, because parsing may change a number
  return { json: `{"outcome_id":"cli-${id}",${text.slice(1)}` }
}
