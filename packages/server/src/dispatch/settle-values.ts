import { nullableArray, plainArray } from '../db/array-literal.ts'
import { float4Array, float8Array, int2Array, int4Array, textArray, uuidArray } from '../db/binary-array.ts'
import { onceEach } from '../domain/once-each.ts'
import { answerHeads, headerLines } from './answer-heads.ts'
import type { Acknowledged, Settlement } from './settle.ts'

/** One array for each column. Those of text may hold null; the others say `missing` instead, see the statement. */
export function settleValues(rows: readonly Settlement[]): Array<string | Buffer> {
  const exchanges = rows.map(({ attempt }) => attempt?.exchange)
  return [
    uuidArray(rows.map(({ taken }) => taken.accountId)),
    uuidArray(rows.map(({ taken }) => taken.deliveryId)),
    int4Array(rows.map(({ taken }) => taken.claim)),
    int4Array(rows.map(({ attempt }) => (attempt === null ? 0 : 1))),
    plainArray(rows.map(({ verdict }) => verdict.state)),
    int4Array(rows.map(({ verdict }) => verdict.retriesUsed)),
    float8Array(rows.map(({ verdict }) => verdict.dueInMs ?? missing)),
    plainArray(rows.map(({ verdict }) => verdict.nextTrigger)),
    plainArray(exchanges.map(exchange => (exchange?.outcome === 'success' ? 't' : 'f'))),
    uuidArray(rows.map(({ taken, attempt }) => attempt?.id ?? taken.deliveryId)),
    int4Array(rows.map(({ taken }) => taken.attemptCount + 1)),
    plainArray(rows.map(({ taken }) => taken.trigger)),
    float4Array(exchanges.map(exchange => rounded(exchange?.durationMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.dnsMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.connectMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.tlsMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.firstByteMs))),
    int2Array(exchanges.map(exchange => exchange?.statusCode ?? missing)),
    int4Array(rows.map(({ attempt }) => attempt?.processNumber ?? missing)),
    nullableArray(rows.map(({ verdict }) => verdict.reason)),
    nullableArray(exchanges.map(exchange => exchange?.error?.code ?? null)),
    textArray(exchanges.map(exchange => exchange?.error?.message ?? null)),
    textArray(exchanges.map(exchange => headerLines(exchange?.responseHeaders ?? null))),
    textArray(exchanges.map(exchange => exchange?.responseBody ?? null)),
    textArray(exchanges.map(exchange => exchange?.verifiedParts ?? null)),
    textArray(rows.map(({ attempt }) => attempt?.request ?? null)),
    nullableArray(rows.map(({ taken }) => taken.hold?.id ?? null)),
  ]
}

/** The same for `acknowledgedStatements`: what their attempts say, in the order of their deliveries. */
export function acknowledgedValues(rows: readonly Acknowledged[]): Array<string | Buffer> {
  const exchanges = rows.map(({ attempt }) => attempt.exchange)
  const accounts = onceEach(rows.map(({ taken }) => taken.accountId))
  const heads = answerHeads(exchanges.map(exchange => exchange.responseHeaders))
  return [
    uuidArray([...new Set(rows.map(({ taken }) => taken.hold.id))]),
    uuidArray(accounts.values),
    int4Array(accounts.places),
    uuidArray(rows.map(({ taken }) => taken.deliveryId)),
    uuidArray(rows.map(({ attempt }) => attempt.id)),
    float4Array(exchanges.map(exchange => rounded(exchange.durationMs))),
    float4Array(exchanges.map(exchange => rounded(exchange.phases.dnsMs))),
    float4Array(exchanges.map(exchange => rounded(exchange.phases.connectMs))),
    float4Array(exchanges.map(exchange => rounded(exchange.phases.tlsMs))),
    float4Array(exchanges.map(exchange => rounded(exchange.phases.firstByteMs))),
    int2Array(exchanges.map(exchange => exchange.statusCode ?? missing)),
    int4Array(rows.map(({ attempt }) => attempt.processNumber)),
    heads.bytes,
    int4Array(heads.bounds),
    int4Array(heads.places),
    textArray(exchanges.map(exchange => exchange.responseBody)),
    textArray(exchanges.map(exchange => exchange.verifiedParts)),
    textArray(rows.map(({ attempt }) => attempt.request)),
  ]
}

/** In place of null: where no element is null, PostgreSQL finds each of them without going through those before it. */
const missing = -1

function rounded(ms: number | null | undefined): number {
  return ms === null || ms === undefined ? missing : Math.round(ms * 100) / 100
}
