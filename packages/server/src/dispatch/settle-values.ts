import { nullableArray, plainArray } from '../db/array-literal.ts'
import {
  float4Array,
  float8Array,
  int2Array,
  int4Array,
  int8Array,
  textArray,
  uuidArray,
} from '../db/binary-array.ts'
import type { Settlement } from './settle.ts'

/** One array for each column. Those of text may hold null; the others say `missing` instead, see the statement. */
export function settleValues(rows: readonly Settlement[]): Array<string | Buffer> {
  const exchanges = rows.map(({ attempt }) => attempt?.exchange)
  return [
    uuidArray(rows.map(({ delivery }) => delivery.accountId)),
    uuidArray(rows.map(({ delivery }) => delivery.deliveryId)),
    int8Array(rows.map(({ delivery }) => BigInt(delivery.process))),
    int4Array(rows.map(({ delivery }) => delivery.claim)),
    int4Array(rows.map(({ attempt }) => (attempt === null ? 0 : 1))),
    plainArray(rows.map(({ verdict }) => verdict.state)),
    int4Array(rows.map(({ verdict }) => verdict.retriesUsed)),
    float8Array(rows.map(({ verdict }) => verdict.dueInMs ?? missing)),
    plainArray(rows.map(({ verdict }) => verdict.nextTrigger)),
    plainArray(exchanges.map(exchange => (exchange?.outcome === 'success' ? 't' : 'f'))),
    uuidArray(rows.map(({ delivery, attempt }) => attempt?.id ?? delivery.deliveryId)),
    int4Array(rows.map(({ delivery }) => delivery.attemptCount + 1)),
    plainArray(rows.map(({ delivery }) => delivery.trigger)),
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
  ]
}

/** In place of null: where no element is null, PostgreSQL finds each of them without going through those before it. */
const missing = -1

function rounded(ms: number | null | undefined): number {
  return ms === null || ms === undefined ? missing : Math.round(ms * 100) / 100
}

/** Headers as they are stored: lines `name: value`, shorter than JSON, and nothing to escape. */
function headerLines(headers: Readonly<Record<string, string>> | null): string | null {
  if (headers === null) return null
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\n`
  return lines
}
