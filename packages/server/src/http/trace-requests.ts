import { routes } from '@posthorn/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent } from '../domain/traceparent.ts'

/** The record of a request in a trace. */
export interface RequestSpan {
  readonly traceId: string
  readonly spanId: string
  /** The trace of the events that the request creates. */
  readonly traceparent: string
  ended(status: number): void
}

export type BeginRequestSpan = (request: {
  method: string
  /** The path of the route, without values. */
  route: string
  /** Of the caller. */
  traceparent: string | null
}) => RequestSpan

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if nobody records a trace of the request. */
    span: RequestSpan | null
  }
}

const traced = new Set<string>([routes.reportOutcomes.path, routes.createEmail.path])

/** Records the requests that create events or emails. */
export function traceRequests(app: FastifyInstance, begin: BeginRequestSpan): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    const route = request.routeOptions.url ?? ''
    if (method === 'POST' && traced.has(route)) {
      const span = begin({ method, route, traceparent: readTraceparent(asText(headers['traceparent'])) })
      request.span = span
      reply.raw.once('close', () => span.ended(reply.statusCode))
    }
    done()
  })
}

/** The trace that a request belongs to: Posthorn's own span for it, or what the caller sent; null without a trace. */
export function traceparentOf({ span, headers }: FastifyRequest): string | null {
  return span === null ? readTraceparent(asText(headers['traceparent'])) : span.traceparent
}

/** Fields of the log that name the trace of a request. */
export function traceFields({ span }: FastifyRequest): { trace_id?: string; span_id?: string } {
  return span === null ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

function asText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header
}
