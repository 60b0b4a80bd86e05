import { statSync } from 'node:fs'
import type { Client } from '@posthorn/client'
import type { PostfixRecord } from '@posthorn/contract'
import { PostfixLog, type PostfixLogOptions } from './postfix-log.ts'
import { pause } from '../pause.ts'
import { printError } from '../print.ts'
import { progressBar } from '../progress-bar.ts'
import { FollowedLog } from './followed-log.ts'
import { readIngestState, writeIngestState } from './ingest-state.ts'
import type { IngestTally } from './ingest-tally.ts'
import { type ForeignNames, toPostfixRecord } from './postfix-record.ts'
import { reportWithRetry } from './report-with-retry.ts'

export interface ReadOptions {
  readonly path: string
  readonly statePath: string
  readonly follow: boolean
  readonly fromEnd: boolean
  readonly smarthosts: ReadonlySet<string>
  readonly names: ForeignNames | null
  readonly header: string | null
  /** Prints nothing on standard error. */
  readonly quiet: boolean
  readonly stop: AbortSignal
}

const pollMs = 500

/**
 * Reads the log to its end, or until stopped. It saves its position only after the service has stored the outcomes. If
 * the process is killed in between, it reports the lines again and the service ignores the duplicates.
 */
export async function readPostfixLog(
  client: Pick<Client, 'reportPostfix'>,
  tally: IngestTally,
  options: ReadOptions,
): Promise<void> {
  const { path, statePath, names, stop, follow, quiet } = options
  const state = readIngestState(statePath, path)
  using file = new FollowedLog(path, state?.position ?? null)
  const say = (text: string): void => void (quiet || printError(text))
  if (file.hasLostItsPlace) {
    say(`The log file that was read last is gone. Reading ${path} from its start.`)
  }
  const log = new PostfixLog(state?.memory)
  let isSilent = state === null && options.fromEnd
  const clock = { localMs, latestMs: statSync(path).mtimeMs }
  const retrying = {
    waits: follow,
    stop,
    onWait: (error: Error) => say(`Waiting for the service: ${error.message}`),
  }
  const bar = quiet ? null : progressBar(process.stderr, ' KiB')
  const totalBytes = file.bytesLeft
  const remember = (): void =>
    writeIngestState(statePath, { log: path, position: file.position, memory: log.memory() })
  // saved now because the log may be rotated before the first line is read
  if (state === null && !isSilent) remember()
  let isAtEnd = false
  while (!stop.aborted) {
    const lines = file.nextLines()
    if (lines.length === 0) {
      if (!isAtEnd) bar?.end()
      isAtEnd = true
      if (isSilent) remember()
      isSilent = false
      if (!follow) break
      await pause(pollMs, stop)
      clock.latestMs = Date.now()
      continue
    }
    const records = understand(lines, isSilent)
    if (!(await reportWithRetry(client, records, retrying, answer => tally.answer(answer)))) return
    // not saved while existing lines are skipped, so that a killed process skips all of them again
    if (!isSilent) remember()
    if (!isAtEnd) bar?.show(kib(totalBytes - file.bytesLeft), kib(totalBytes))
  }
  const last = follow || stop.aborted ? null : file.unfinishedLine()
  // not saved, because the line may be longer at the next run
  if (last !== null)
    await reportWithRetry(client, understand([last], false), retrying, answer => tally.answer(answer))

  function understand(lines: readonly Buffer[], isSilent: boolean): PostfixRecord[] {
    const logOptions: PostfixLogOptions = { ...clock, header: options.header, smarthosts: options.smarthosts }
    return lines.flatMap(line => {
      tally.line()
      const taken = log.take(line.toString(), logOptions)
      if (typeof taken === 'string') tally.passedOver(taken)
      if (typeof taken === 'string' || isSilent) return []
      return taken.flatMap(outcome => {
        const record = toPostfixRecord(outcome, line, names)
        if (record === null) tally.notOurs()
        return record ?? []
      })
    })
  }
}

/** Assumes that the log is in the time zone of this machine. */
function localMs(year: number, month: number, day: number, h: number, min: number, s: number): number {
  return new Date(year, month, day, h, min, s).getTime()
}

function kib(bytes: number): number {
  return Math.ceil(Math.max(0, bytes) / 1_024)
}
