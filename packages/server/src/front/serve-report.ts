import type { Route } from '@posthorn/contract'
import { accountMoving } from '../errors.ts'
import type { FastifyRequest } from 'fastify'
import { idempotencyKey } from '../http/read-request.ts'
import { ReportsUnderWay } from '../http/reports-under-way.ts'
import { clientAddress, sendAnswer } from './forward.ts'
import { forwardOwnReport } from './forward-own-report.ts'
import type { Front } from './front.ts'
import { operatorHeaders } from './operator-headers.ts'
import { awaitMove, haveMoved, placeAccounts, unlessMoving } from './place-accounts.ts'
import { readWholeBody } from './read-whole-body.ts'
import { sendToShard } from './send-to-shard.ts'
import type { Handler } from './serve-route.ts'
import { patienceMs } from './shard.ts'
import { type MixedReport, storeParts } from './store-parts.ts'

/** A report of the operator, read as far as needed to find its shards. */
export interface OperatorReport {
  /** The account code of each item; null if no account can own it. */
  readonly codes: readonly (number | null)[]
  /** Whether the report may be sent again although the shard may have stored it. */
  readonly isRepeatable: boolean
  /**
   * Validates the report as a whole, if its accounts are on several shards or one is unknown. Otherwise its shard does.
   * @throws AppError the error that a single shard would answer
   */
  readonly split: () => Promise<
    Pick<MixedReport, 'texts' | 'codes' | 'bodyOf' | 'isRepeatable' | 'outcomesAt'>
  >
}

export interface ReportRoute {
  readonly route: Route
  /** Reads a report of the operator. The body of the request is a Buffer. */
  readonly read: (request: FastifyRequest) => Promise<OperatorReport>
  /** Whether the report of an account may be sent again although the shard may have stored it. */
  readonly isRepeatable: (request: FastifyRequest, body: Buffer) => boolean
}

/**
 * Serves reports of outcomes. A report for one shard goes there unchanged. A report of the operator for several shards is
 * validated as a whole, then split.
 */
export function serveReport(front: Front, { route, read, isRepeatable }: ReportRoute): Handler {
  const underWay = new ReportsUnderWay(front.clock)
  const forwardOwn = forwardOwnReport(front, route, isRepeatable)
  return async (request, reply) => {
    const headers = await operatorHeaders(front, request, route)
    if (headers === null) return await forwardOwn(request, reply)
    using _report = underWay.begin('operator')
    request.body = await readWholeBody(front.held, route, request, reply)
    const report = await read(request)
    const call = { path: request.url, headers, forwardedFor: clientAddress(front, request) }

    const untilMs = front.clock.monotonicMs() + patienceMs
    const codes = new Set(report.codes.flatMap(code => code ?? []))
    for (;;) {
      const placed = await placeAccounts(front, codes, untilMs)
      const shard = onlyShard(report.codes, placed)
      if (shard === null) break
      const body = request.body as Buffer
      const sent = { method: 'POST', ...call, body, isRepeatable: report.isRepeatable }
      const answer = await unlessMoving(sendToShard(front, { shard }, sent, untilMs))
      const isLate = front.clock.monotonicMs() >= untilMs
      if (answer === null) {
        if (isLate) throw accountMoving()
        await awaitMove(front)
        continue
      }
      if (answer.status !== 422 || isLate || !(await haveMoved(front, placed)))
        return sendAnswer(reply, answer)
      answer.body.resume()
    }

    const whole = { ...(await report.split()), ...call, key: idempotencyKey(request) }
    const { answer, isReplayed } = await storeParts(front, whole)
    if (isReplayed) void reply.header('idempotency-replayed', 'true')
    return await reply.code(route.success.status).send(answer)
  }
}

/** The shard of all items, or null if they have several or one is unknown. Items without an account go to shard 0. */
function onlyShard(codes: readonly (number | null)[], placed: ReadonlyMap<number, number>): number | null {
  const shards = new Set(codes.map(code => (code === null ? 0 : placed.get(code))))
  const [shard] = shards
  return shards.size === 1 && shard !== undefined ? shard : null
}
