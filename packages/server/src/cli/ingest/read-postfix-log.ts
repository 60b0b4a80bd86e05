import { statSync } from 'node:fs'
import type { Client } from '@posthorn/client'
import type { PostfixRecord } from '@posthorn/contract'
import { PostfixLog, type PostfixLogOptions } from '../../domain/sources/postfix-log.ts'
import { pause } from '../pause.ts'
import { complain } from '../print.ts'
import { progressBar } from '../progress-bar.ts'
import { FollowedLog } from './followed-log.ts'
import { readIngestState, writeIngestState } from './ingest-state.ts'
import type { IngestTally } from './ingest-tally.ts'
import { type ForeignNames, toPostfixRecord } from './postfix-record.ts'
import { reportPatiently } from './report-patiently.ts'

export interface ReadOptions {
  readonly path: string
  readonly statePath: string
  readonly follow: boolean
  readonly fromEnd: boolean
  readonly smarthosts: ReadonlySet<string>
  readonly names: ForeignNames | null
  readonly header: string | null
  /** Says nothing on standard error. */
  readonly quiet: boolean
  readonly stop: AbortSignal
}

const pollMs = 500

/**
 * Reads the log to its end, or until it is stopped. What was read is written down only after the service has stored
 * what it came to; whoever is killed in between tells it again, and the service knows it.
 */
export async function readPostfixLog(
  client: Pick<Client, 'reportPostfix'>,
  tally: IngestTally,
  options: ReadOptions,
): Promise<void> {
  const { path, statePath, names, stop, follow, quiet } = options
  const state = readIngestState(statePath, path)
  using file = new FollowedLog(path, state?.position ?? null)
  const say = (text: string): void => void (quiet || complain(text))
  if (file.hasLostItsPlace) say(`The file in which reading stopped is gone; ${path} is read from its start.`)
  const log = new PostfixLog(state?.memory)
  let isSilent = state === null && options.fromEnd
  const clock = { localMs, latestMs: statSync(path).mtimeMs }
  const patience = {
    waits: follow,
    stop,
    onWait: (error: Error) => say(`Waiting for the service: ${error.message}`),
  }
  const bar = quiet ? null : progressBar(process.stderr, ' KiB')
  const totalBytes = file.bytesLeft
  const remember = (): void =>
    writeIngestState(statePath, { log: path, position: file.position, memory: log.memory() })
  // already now: the log may be rotated before anything was read
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
    if (!(await reportPatiently(client, records, patience, answer => tally.answer(answer)))) return
    // whoever is killed while it is silent begins again, still silent
    if (!isSilent) remember()
    if (!isAtEnd) bar?.show(kib(totalBytes - file.bytesLeft), kib(totalBytes))
  }
  const last = follow || stop.aborted ? null : file.unfinishedLine()
  // not remembered: the next time it may have become longer
  if (last !== null)
    await reportPatiently(client, understand([last], false), patience, answer => tally.answer(answer))

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

/** The log is of this machine, or of one with the same time zone. */
function localMs(year: number, month: number, day: number, h: number, min: number, s: number): number {
  return new Date(year, month, day, h, min, s).getTime()
}

function kib(bytes: number): number {
  return Math.ceil(Math.max(0, bytes) / 1_024)
}
