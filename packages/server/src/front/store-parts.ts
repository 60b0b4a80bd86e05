import type { Problem, SourceAccepted } from '@posthorn/contract'
import { mergeAnswers } from '../domain/merge-answers.ts'
import { type ReportPart, splitReport } from '../domain/split-report.ts'
import { AppError, accountMoving } from '../errors.ts'
import type { ShardAnswer } from '../shards/shard-client.ts'
import type { Front } from './front.ts'
import { partFailed, withPlacesOfPart } from './part-errors.ts'
import { partKey } from './part-key.ts'
import { awaitMove, haveMoved, placeAccounts } from './place-accounts.ts'
import { readAnswer } from './read-answer.ts'
import { type ShardCall, sendToShard } from './send-to-shard.ts'
import { patienceMs } from './shard.ts'

/** A report of the operator that is valid as a whole. */
export interface MixedReport extends Pick<ShardCall, 'path' | 'headers' | 'forwardedFor'> {
  /** The JSON of each item. */
  readonly texts: readonly string[]
  /** The account code of each item; null if no account can own it. */
  readonly codes: readonly (number | null)[]
  /** The body of a part with these items. */
  readonly bodyOf: (texts: readonly string[]) => string
  /** The `Idempotency-Key` of the report. */
  readonly key: string | null
  /** Whether a part may be sent again although the shard may have stored it. */
  readonly isRepeatable: boolean
  /** How many outcomes the item at a place contains. */
  readonly outcomesAt?: (place: number) => number
}

export interface StoredReport {
  readonly answer: SourceAccepted
  /** Every shard had stored its part before and repeats its answer. */
  readonly isReplayed: boolean
}

interface StoredPart {
  readonly places: readonly number[]
  readonly answer: SourceAccepted
  readonly isReplayed: boolean
}

/**
 * Sends each shard its part of a report, all at once, and merges their answers when all have committed. If an account moves
 * meanwhile, its items follow it.
 *
 * @throws AppError `shard_unavailable`, `account_moving`, or what a shard refuses its part with
 */
export async function storeParts(front: Front, report: MixedReport): Promise<StoredReport> {
  const untilMs = front.clock.monotonicMs() + patienceMs
  const everything = report.texts.map((_, place) => place)
  const results = await storeItems(front, report, everything, untilMs)
  const failures = results.filter(result => result instanceof AppError)
  // an error that a repeat would meet again comes first
  const failure = failures.find(({ code }) => !isTemporary(code)) ?? failures[0]
  if (failure !== undefined) throw failure
  const parts = results.filter((result): result is StoredPart => !(result instanceof AppError))
  return {
    answer: mergeAnswers(parts, report.outcomesAt),
    isReplayed: parts.every(({ isReplayed }) => isReplayed),
  }
}

function isTemporary(code: AppError['code']): boolean {
  return code === 'shard_unavailable' || code === 'account_moving'
}

/** Stores the items at some places of the report. Returns errors, because the other parts go on. */
async function storeItems(
  front: Front,
  report: MixedReport,
  places: readonly number[],
  untilMs: number,
): Promise<Array<StoredPart | AppError>> {
  const codes = new Set(places.flatMap(place => report.codes[place] ?? []))
  try {
    const placed = await placeAccounts(front, codes, untilMs)
    const shardOf = (place: number): number => placed.get(report.codes[place] ?? -1) ?? 0
    const parts = splitReport(places, shardOf)
    return (
      await Promise.all(parts.map(async part => await storePart(front, report, part, placed, untilMs)))
    ).flat()
  } catch (error) {
    if (error instanceof AppError) return [error]
    throw error
  }
}

async function storePart(
  front: Front,
  report: MixedReport,
  { shard, items: places }: ReportPart<number>,
  placed: ReadonlyMap<number, number>,
  untilMs: number,
): Promise<Array<StoredPart | AppError>> {
  const answer = await sendPart(front, report, shard, places, untilMs)
  const isLate = front.clock.monotonicMs() >= untilMs
  if (answer instanceof AppError) {
    if (answer.code !== 'account_moving') return [partFailed(shard, report)]
    if (isLate) return [answer]
    await awaitMove(front)
    return await storeItems(front, report, places, untilMs)
  }
  const { body } = answer
  if (answer.status === 202) {
    const isReplayed = answer.headers['idempotency-replayed'] === 'true'
    return [{ places, answer: body as SourceAccepted, isReplayed }]
  }
  if (answer.status >= 500) return [partFailed(shard, report)]
  const own = new Map([...placed].filter(([, at]) => at === shard))
  if (answer.status === 422 && (await haveMoved(front, own))) {
    return isLate ? [accountMoving()] : await storeItems(front, report, places, untilMs)
  }
  return [withPlacesOfPart(body as Problem, places)]
}

/** Returns why if the shard does not answer to the end, or an account moves. */
async function sendPart(
  front: Front,
  report: MixedReport,
  shard: number,
  places: readonly number[],
  untilMs: number,
): Promise<(Omit<ShardAnswer, 'body'> & { readonly body: unknown }) | AppError> {
  const { path, forwardedFor = '', isRepeatable } = report
  const body = Buffer.from(report.bodyOf(places.map(place => report.texts[place] ?? '')))
  const call = {
    method: 'POST',
    path,
    headers: partHeaders(report, places),
    body,
    forwardedFor,
    isRepeatable,
    isPart: true,
  }
  try {
    const answer = await sendToShard(front, { shard }, call, untilMs)
    return { ...answer, body: await readAnswer(answer) }
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function partHeaders(
  { headers = {}, key, codes }: MixedReport,
  places: readonly number[],
): NonNullable<ShardCall['headers']> {
  const { 'idempotency-key': _, ...others } = headers
  const accounts = places.map(place => String(codes[place]))
  return {
    ...others,
    'content-type': 'application/json',
    ...(key !== null && { 'idempotency-key': partKey(key, accounts) }),
  }
}
