import type { Settlement } from '../../src/dispatch/settle.ts'
import { decideAttempt } from '../../src/domain/decide-attempt.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import type { Exchange } from '../../src/egress/egress.ts'
import { newId } from '../../src/new-id.ts'
import type { VerbContext } from '../verbs/verb-context.ts'

/** The result of a delivery whose receiver answered with this status. */
export function settlementOf(
  ctx: VerbContext,
  delivery: LeasedDelivery,
  statusCode: 204 | 410 | 503,
): Settlement {
  const succeeded = statusCode === 204
  const outcome = succeeded ? 'success' : 'failure'
  const exchange: Exchange = {
    outcome,
    statusCode,
    error: succeeded ? null : { code: 'status_not_2xx', message: `status ${statusCode}` },
    durationMs: 3,
    phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 2 },
    responseHeaders: {},
    responseBody: '',
    responseTruncated: false,
    retryAfter: null,
    verifiedParts: null,
    certificate: null,
  }
  const result = { outcome, statusCode, errorCode: exchange.error?.code ?? null, retryAfter: null } as const
  return {
    delivery,
    verdict: decideAttempt(delivery, result, { baseSeconds: 5, capSeconds: 10 }, 0.5, ctx.clock.nowMs()),
    attempt: {
      id: newId(ctx),
      processNumber: 1,
      request: null,
      exchange,
      verifiedKeyIds: [],
      retry: { baseSeconds: 120, capSeconds: 86_400 },
      newCertificateExpiresAtMs: null,
      endpointWasFailing: false,
      span: null,
    },
  }
}
