import { statSync } from 'node:fs'
import type { Client } from '@posthorn/client'
import type { PostfixRecord } from '@posthorn/contract'
import { CommandError } from '../command-error.ts'
import { pause } from '../pause.ts'
import { printError } from '../print.ts'
import { progressBar } from '../progress-bar.ts'
import { FollowedLog } from './followed-log.ts'
import { readIngestState, writeIngestState } from './ingest-state.ts'
import type { IngestTally } from './ingest-tally.ts'
import type { LogFormat } from './log-outcome.ts'
import { type ForeignNames, toLogRecord } from './log-record.ts'
import { reportWithRetry } from './report-with-retry.ts'
import { StandardInput } from './standard-input.ts'

export interface ReadOptions {
  /** `-` for standard input. */
  readonly path: string
  /** Null to keep no state. */
  readonly statePath: string | null
  readonly format: LogFormat
  readonly follow: boolean
  readonly fromEnd: boolean
  readonly names: ForeignNames | null
  /** Prints nothing on standard error, except if no line is understood. */
  readonly quiet: boolean
  readonly stop: AbortSignal
}

const pollMs = 500

/**
 * Reads the log to its end, or until stopped. It saves its position only after the service has stored the outcomes. If
 * the process is killed in between, it reports the lines again and the service ignores the duplicates.
 *
 * @throws CommandError `log_not_understood` if no line is from this kind of mail server
 */
export async function readLog(
  client: Pick<Client, 'reportPostfix'>,
  tally: IngestTally,
  options: ReadOptions,
): Promise<void> {
  const { path, statePath, names, stop, quiet, format } = options
  const isFile = path !== '-'
  const follow = options.follow && isFile
  const state = statePath === null ? null : readIngestState(statePath, path, format.source)
  const say = (text: string): void => void (quiet || printError(text))
  using source = isFile
    ? new FollowedLog(path, state?.position ?? null)
    : new StandardInput(process.stdin, stop)
  const file = source instanceof FollowedLog ? source : null
  if (file?.hasLostItsPlace === true) {
    say(`The log file that was read last is gone. Reading ${path} from its start.`)
  }
  const log = format.open(state?.memory)
  let isSilent = state === null && options.fromEnd
  let isUnderstood = state?.isUnderstood === true
  let firstLine: Buffer | null = null
  let shown = 0
  const clock = { localMs, latestMs: isFile ? statSync(path).mtimeMs : Date.now() }
  const retrying = {
    // standard input cannot be read again
    waits: follow || !isFile,
    stop,
    onWait: (error: Error) => say(`Waiting for the service: ${error.message}`),
  }
  const bar = quiet || file === null ? null : progressBar(process.stderr, ' KiB')
  const totalBytes = file?.bytesLeft ?? 0
  const remember = (): void => {
    if (statePath === null) return
    const position = file?.position ?? null
    writeIngestState(statePath, {
      log: path,
      source: format.source,
      position,
      memory: log.memory(),
      isUnderstood,
    })
  }
  // saved now because the log may be rotated before the first line is read
  if (state === null && !isSilent) remember()
  let isAtEnd = false
  while (!stop.aborted) {
    const lines = await source.nextLines()
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
    if (!isFile) clock.latestMs = Date.now()
    const isFirst = firstLine === null
    const records = understand(lines, isSilent)
    if (isFirst && !isUnderstood && (follow || !isFile)) printError(warningOf(notUnderstood(), quiet))
    if (!(await reportWithRetry(client, records, retrying, answer => tally.answer(answer)))) return
    // not saved while existing lines are skipped, so that a killed process skips all of them again; nor before a line is
    // understood, so that all of them are read again with the right command
    if (!isSilent && isUnderstood) remember()
    if (file !== null && !isAtEnd) bar?.show(kib(totalBytes - file.bytesLeft), kib(totalBytes))
  }
  const last = follow || stop.aborted ? null : source.unfinishedLine()
  // not saved, because the line may be longer at the next run
  if (last !== null)
    await reportWithRetry(client, understand([last], false), retrying, answer => tally.answer(answer))
  if (firstLine !== null && !isUnderstood) throw notUnderstood()

  function understand(lines: readonly Buffer[], isSilent: boolean): PostfixRecord[] {
    return lines.flatMap(line => {
      firstLine ??= line
      tally.line()
      const taken = log.take(line.toString(), clock)
      if (typeof taken === 'string') tally.passedOver(taken)
      if ((taken === 'unreadable' || taken === 'not_understood') && shown++ < shownLinesMax) {
        say(`Passed over a line that is ${taken.replace('_', ' ')}: ${quoted(line)}`)
      }
      if (taken !== 'unrelated' && taken !== 'not_understood') isUnderstood = true
      if (typeof taken === 'string' || isSilent) return []
      return taken.flatMap(outcome => {
        const record = toLogRecord(format.source, outcome, line, names)
        if (record === null) tally.notOurs()
        return record ?? []
      })
    })
  }

  function notUnderstood(): CommandError {
    const found = quoted(firstLine ?? Buffer.alloc(0))
    return new CommandError(
      'log_not_understood',
      `no line of ${isFile ? path : 'standard input'} is a line that posthorn ingest ${format.source} understands. The first line is ${found}. Expected lines such as ${JSON.stringify(format.example)}`,
    )
  }
}

/** The summary counts the others. */
const shownLinesMax = 5
const shownMax = 200

function quoted(line: Buffer): string {
  return JSON.stringify(line.toString().slice(0, shownMax))
}

function warningOf({ code, message }: CommandError, asJson: boolean): string {
  return asJson ? JSON.stringify({ warning: { code, message } }) : `Warning: so far, ${message}`
}

/** Assumes that the log is in the time zone of this machine. */
function localMs(year: number, month: number, day: number, h: number, min: number, s: number): number {
  return new Date(year, month, day, h, min, s).getTime()
}

function kib(bytes: number): number {
  return Math.ceil(Math.max(0, bytes) / 1_024)
}
