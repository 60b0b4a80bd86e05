import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { AttemptSpan } from '../dispatch/attempt-span.ts'
import type { Clock } from '../context.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { typeId } from '../domain/type-id.ts'
import type { Exchange, Phases } from '../egress/egress.ts'
import type { Tracing } from './telemetry.ts'

/**
 * Records reports, attempts and their results as spans. Attributes follow the semantic conventions for HTTP and messaging.
 * They contain ids and host names, but never a path or a query of an endpoint, because these may contain secrets.
 */
export function createTracing(tracer: Tracer, clock: Pick<Clock, 'nowMs'>): Tracing {
  return {
    beginRequest: ({ method, route, traceparent }) => {
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'url.path': route,
        'url.scheme': 'http',
      }
      const span = tracer.startSpan(
        `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes, startTime: clock.nowMs() },
        contextOf(traceparent),
      )
      return {
        ...span.spanContext(),
        traceparent: traceparentOf(span),
        ended: status => {
          span.setAttribute('http.response.status_code', status)
          if (status >= 500) fail(span, String(status))
          span.end(clock.nowMs())
        },
      }
    },
    beginAttempt: (delivery, url) => beginAttempt(tracer, clock, delivery, url),
  }
}

function beginAttempt(
  tracer: Tracer,
  clock: Pick<Clock, 'nowMs'>,
  delivery: LeasedDelivery,
  url: string,
): AttemptSpan {
  const startedAtMs = clock.nowMs()
  const span = tracer.startSpan(
    'POST webhook',
    { kind: SpanKind.CLIENT, attributes: attemptAttributes(delivery, url), startTime: startedAtMs },
    contextOf(delivery.traceparent),
  )
  const traceparent = traceparentOf(span)
  const ofAttempt = contextOf(traceparent)
  let endedAtMs = startedAtMs
  return {
    traceparent,
    ended: exchange => {
      endedAtMs = startedAtMs + exchange.durationMs
      if (!span.isRecording()) return
      recordPhases(tracer, exchange.phases, startedAtMs, ofAttempt)
      recordAnswer(span, exchange)
      span.end(endedAtMs)
    },
    settled: ({ state, reason, dueInMs }) => {
      const attributes = {
        'posthorn.delivery.state': state,
        ...(reason !== null && { 'posthorn.delivery.reason': reason }),
        ...(dueInMs !== null && { 'posthorn.delivery.retry_in_seconds': dueInMs / 1_000 }),
      }
      // beside the attempt, if both belong to a report
      const parent = delivery.traceparent === null ? ofAttempt : contextOf(delivery.traceparent)
      tracer
        .startSpan('settle', { attributes, startTime: endedAtMs }, parent)
        .end(Math.max(endedAtMs, clock.nowMs()))
    },
  }
}

function attemptAttributes(delivery: LeasedDelivery, url: string): Attributes {
  const { hostname, port, protocol } = new URL(url)
  return {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(delivery.attemptCount > 0 && { 'http.request.resend_count': delivery.attemptCount }),
    'messaging.system': 'posthorn',
    'messaging.operation.type': 'send',
    'messaging.operation.name': 'attempt',
    'messaging.destination.name': typeId('wh', delivery.endpointId),
    'messaging.message.id': typeId('evt', delivery.eventId),
    'messaging.message.body.size': delivery.body.length,
    'posthorn.account.id': typeId('acct', delivery.accountId),
    'posthorn.delivery.id': typeId('dlv', delivery.deliveryId),
  }
}

/** A phase follows the one before it. Those that did not happen, as on a reused connection, have no span. */
function recordPhases(tracer: Tracer, phases: Phases, startedAtMs: number, parent: Context): void {
  let atMs = startedAtMs
  for (const [name, ms] of [
    ['DNS', phases.dnsMs],
    ['connect', phases.connectMs],
    ['TLS', phases.tlsMs],
    ['request and wait', phases.firstByteMs],
  ] as const) {
    if (ms === null) continue
    tracer.startSpan(name, { startTime: atMs }, parent).end(atMs + ms)
    atMs += ms
  }
}

function recordAnswer(span: Span, { statusCode, error }: Exchange): void {
  if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode)
  if (error !== null) fail(span, statusCode === null ? error.code : String(statusCode))
}

function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}

function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true })
}
