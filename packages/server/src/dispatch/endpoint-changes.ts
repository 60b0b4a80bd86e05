import { nullableArray, plainArray } from '../db/array-literal.ts'
import type { Settlement } from './settle.ts'

/**
 * What a batch of results changes at endpoints and signing keys, as parameters of the settle statement in key order;
 * null when nothing does. A healthy endpoint that stays healthy is not touched: its row is the accept statement's to
 * write.
 */
export function endpointChanges(settlements: readonly Settlement[]): string[] | null {
  const health = [...healthOf(settlements).values()].filter(one => one.changed).sort(inKeyOrder)
  const verified = [...verifiedBy(settlements).values()].sort(inKeyOrder)
  if (health.length === 0 && verified.length === 0) return null
  return [
    plainArray(health.map(one => one.accountId)),
    plainArray(health.map(one => one.endpointId)),
    plainArray(health.map(one => (one.recovered ? 't' : 'f'))),
    plainArray(health.map(one => one.failures)),
    plainArray(health.map(one => (one.gone ? 't' : 'f'))),
    plainArray(health.map(one => one.gaveUp)),
    plainArray(health.map(one => (one.exhausted ? 't' : 'f'))),
    nullableArray(health.map(one => one.errorCode)),
    nullableArray(health.map(one => one.certificateExpiresAtMs)),
    plainArray(health.map(one => one.version)),
    plainArray(verified.map(one => one.accountId)),
    plainArray(verified.map(one => one.endpointId)),
    plainArray(verified.map(one => one.keyId)),
    plainArray(verified.map(one => one.times)),
  ]
}

const healthy = {
  recovered: false,
  failures: 0,
  gone: false,
  gaveUp: 0,
  exhausted: false,
  errorCode: null,
  certificateExpiresAtMs: null,
  version: 0,
  changed: false,
}

interface Health {
  accountId: string
  endpointId: string
  /** An attempt succeeded: earlier failures are over. */
  recovered: boolean
  /** Failures since, or in addition. */
  failures: number
  gone: boolean
  /** Deliveries that were given up because of that. */
  gaveUp: number
  /** Since the last success a delivery has used up its retries. */
  exhausted: boolean
  /** Why the last of them failed; null when it succeeded. */
  errorCode: string | null
  /** Of a certificate that is not the one stored. */
  certificateExpiresAtMs: number | null
  /** The newest version of the endpoint that was sent to. Only of it `gone` and the certificate are told. */
  version: number
  changed: boolean
}

function healthOf(settlements: readonly Settlement[]): Map<string, Health> {
  const byId = new Map<string, Health>()
  for (const { delivery, verdict, attempt } of settlements) {
    if (attempt === null || attempt.exchange.error?.code === 'aborted_by_shutdown') continue
    let health = byId.get(delivery.endpointId)
    if (health === undefined) {
      const { accountId, endpointId } = delivery
      health = { accountId, endpointId, ...healthy }
      byId.set(endpointId, health)
    }
    if (delivery.endpointVersion > health.version)
      Object.assign(health, { version: delivery.endpointVersion, gone: false, certificateExpiresAtMs: null })
    const isNewest = delivery.endpointVersion === health.version
    if (attempt.newCertificateExpiresAtMs !== null && isNewest) {
      health.certificateExpiresAtMs = attempt.newCertificateExpiresAtMs
      health.changed = true
    }
    if (attempt.exchange.outcome === 'success') {
      health.changed ||= health.failures > 0 || attempt.endpointWasFailing || delivery.endpointFailing
      health.recovered = true
      health.failures = 0
      health.exhausted = false
      health.errorCode = null
    } else {
      health.failures++
      health.gone ||= verdict.endpointGone && isNewest
      if (verdict.reason === 'endpoint_gone') health.gaveUp++
      health.exhausted ||= verdict.reason === 'retries_used'
      health.errorCode = attempt.exchange.error?.code ?? null
      health.changed = true
    }
  }
  return byId
}

interface Verified {
  accountId: string
  endpointId: string
  keyId: string
  times: number
}

function verifiedBy(settlements: readonly Settlement[]): Map<string, Verified> {
  const byKey = new Map<string, Verified>()
  for (const { delivery, attempt } of settlements) {
    for (const keyId of attempt?.verifiedKeyIds ?? []) {
      const { accountId, endpointId } = delivery
      const seen = byKey.get(keyId) ?? { accountId, endpointId, keyId, times: 0 }
      seen.times++
      byKey.set(keyId, seen)
    }
  }
  return byKey
}

/** In the order in which the accept statement locks endpoints, and a promotion keys. */
function inKeyOrder(a: Keyed, b: Keyed): number {
  return (
    compare(a.accountId, b.accountId) ||
    compare(a.endpointId, b.endpointId) ||
    compare(a.keyId ?? '', b.keyId ?? '')
  )
}

interface Keyed {
  accountId: string
  endpointId: string
  keyId?: string
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
