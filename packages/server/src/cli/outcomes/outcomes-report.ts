import { outcomesAccepted, routes } from '@posthorn/contract'
import type { Command } from '../command.ts'
import { type Connection, customerOptions, reporterConnection } from '../connection.ts'
import { sayThatItWaits, untilServed } from '../follow-deliveries.ts'
import { openInput } from '../open-input.ts'
import { progressBar } from '../progress-bar.ts'
import { rawRequest } from '../raw-request.ts'
import { stopSignal } from '../stop-signal.ts'
import { readItems } from './read-items.ts'
import { type Outcome, reportBatch, type SendReport } from './report-batch.ts'
import { ReportTally } from './report-tally.ts'
import { withOutcomeId } from './with-outcome-id.ts'

/** What the service takes at once, less some room in bytes for the longest line. */
const outcomesMax = 1_000
const lengthMax = 4 * 1024 * 1024

export const outcomesReport: Command = {
  name: 'outcomes report',
  summary: 'Report email outcomes from a file or standard input',
  about: [
    'Takes a JSON array, or one JSON object on each line (NDJSON), of any size, and reports up to 1,000 at a time. The',
    'fields are in docs/report-outcomes.md. It names each line that the service refuses, reports all others, and then',
    'exits with 1.',
    'Running it again is safe: an outcome without outcome_id gets one made from its text, and the service ignores what',
    "it has. So two equal lines count once. Needs an API key with the scope ingest, or else the operator's token; the",
    'operator names the account_id on each line.',
  ].join('\n'),
  rest: { name: 'file', meaning: 'What to report; - or none reads standard input.' },
  options: customerOptions,
  examples: [
    'posthorn outcomes report outcomes.ndjson',
    'posthorn outcomes report outcomes.json --json',
    'jq -c .results[] export.json | posthorn outcomes report',
  ],
  async run(input) {
    const isQuiet = input.flag('json')
    const connection = reporterConnection(input)
    using source = openInput(input.rest)
    const stop = stopSignal()
    const bar =
      !isQuiet && process.stderr.isTTY && source.size !== null ? progressBar(process.stderr, ' bytes') : null
    const tally = new ReportTally(isQuiet)
    const send = patientSender(connection, stop)
    const onBatch = () => bar?.show(source.read(), source.size ?? 0)
    const isWhole = await reportAll(source.chunks(stop), { send, tally, onBatch }).catch((error: unknown) => {
      if (stop.aborted) return false
      throw error
    })
    bar?.end()
    return tally.report(!isWhole)
  },
}

interface Reporting {
  readonly send: SendReport
  readonly tally: ReportTally
  readonly onBatch: () => void
}

/** False when told to stop before the end. */
async function reportAll(
  chunks: AsyncIterable<Uint8Array>,
  { send, tally, onBatch }: Reporting,
): Promise<boolean> {
  let batch: Outcome[] = []
  let length = 0
  const flush = async (): Promise<boolean> => {
    const isReported = await reportBatch(batch, send, tally)
    batch = []
    length = 0
    onBatch()
    return isReported
  }
  for await (const item of readItems(chunks)) {
    const made = withOutcomeId(item)
    if ('reason' in made) {
      tally.refuse(item.line, made.reason)
      continue
    }
    if (length + made.json.length > lengthMax && !(await flush())) return false
    batch.push({ line: item.line, json: made.json })
    length += made.json.length
    if (batch.length === outcomesMax && !(await flush())) return false
  }
  return await flush()
}

/** Waits for a service that restarts or has too much to do; one that never answered is an error. */
function patientSender(connection: Connection, stop: AbortSignal): SendReport {
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
    if (hasAnswered) return await untilServed(ask, { stop, onWait: sayThatItWaits })
    try {
      return await ask()
    } catch (error) {
      if (stop.aborted) return null
      throw error
    }
  }
}

const answerMsMax = 60_000
