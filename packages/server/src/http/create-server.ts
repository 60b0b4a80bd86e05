import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import { publicBodyBytesMax, type Route } from '@posthorn/contract'
import {
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RouteOptions,
} from 'fastify'
import type { OperatorPerson } from '../domain/operator-person.ts'
import { type OperatorProxies, proxiedOperator } from '../domain/proxied-operator.ts'
import { operatorHeader, readOperator } from '../domain/vouched-operator.ts'
import { AppError } from '../errors.ts'
import { answerClientError, answerExpectation } from './client-error.ts'
import { headerError } from './header-error.ts'
import { sayLastAnswers } from './last-answers.ts'
import { connectionsMax, limitConnections } from './limit-connections.ts'
import { answerNotFound } from './not-found.ts'
import { refusalFor, sendProblem } from './problem.ts'
import { type FrontDoor, requireFront } from './require-front.ts'
import type { ServeDashboard } from './serve-dashboard.ts'
import { type BeginRequestSpan, traceFields, traceRequests } from './trace-requests.ts'
import { UnreadAnswers } from './unread-answers.ts'

export interface ServerOptions {
  /** The routes of the contract that it serves. */
  readonly served: readonly Route[]
  /** Null if it serves no pages. */
  readonly dashboard: ServeDashboard | null
  /** If set, the server answers only requests that a front has signed. */
  readonly frontDoor?: FrontDoor | null
  /** Null if nobody records traces. */
  readonly beginSpan?: BeginRequestSpan | null
  /** Which proxies may name operators. If missing, none. */
  readonly operatorProxies?: OperatorProxies | null
  /** Receives unexpected errors. */
  readonly log: { error(fields: object, message: string): void }
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

/** Enough for 10 MB over a slow line. Without a limit, a client could keep a connection forever. */
const requestTimeoutMs = 120_000

/** Closes connections without traffic: clients that never send a request or never read a response. */
const silenceMsMax = 180_000

/** Creates the HTTP server with its limits and error responses, without routes. It does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: publicBodyBytesMax,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: 256 },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silenceMsMax,
    // serves requests that arrive on open connections during the close
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // Node's own response would not be a problem document. A front adds headers, and its own limit decides
    http: { requireHostHeader: false, maxHeaderSize: maxHeaderSize * (options.frontDoor ? 2 : 1) },
    frameworkErrors: (error, request, reply) => answerError(options, error, request, reply),
  })
  app.server.on('checkExpectation', answerExpectation)
  limitConnections(app.server, connectionsMax)
  const unread = new UnreadAnswers()
  const answerUnknown = answerNotFound(options.served, options.dashboard)
  app.decorateRequest('caller', null)
  app.decorateRequest('front', null)
  app.decorateRequest('proxied', null)
  app.decorateRequest('contentType', undefined)
  app.decorateRequest('span', null)
  if (options.beginSpan) traceRequests(app, options.beginSpan)
  // lets our own check refuse a GET with a body, like any operation that accepts none
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  if (options.frontDoor) requireFront(app, options.frontDoor)
  app.addHook('onRequest', (request, reply, done) => {
    request.proxied = proxiedOf(request, options.operatorProxies ?? null)
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    request.contentType = request.headers['content-type']
    // `delete` would make the object slow in V8
    request.headers['content-type'] = undefined
    const wrong = headerError(request.raw)
    // answers an unknown route without reading the body
    if (wrong === undefined && request.is404) void unlessItFails(answerUnknown(request, reply), done)
    else done(wrong)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    unread.add(reply.raw, payload)
    done(null, payload)
  })
  sayLastAnswers(app, options.wait)
  app.setErrorHandler((error, request, reply) => answerError(options, error, request, reply))
  app.setNotFoundHandler(answerUnknown)
  return app
}

/** Behind a front, only the front can see the proxy. */
function proxiedOf(request: FastifyRequest, proxies: OperatorProxies | null): OperatorPerson | null {
  const { front, headers, raw } = request
  if (front === null) {
    return proxies && proxiedOperator(proxies, { peer: raw.socket.remoteAddress ?? '', headers })
  }
  const named = readOperator(headers[operatorHeader])
  return named?.method === 'proxy' ? named : null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator that a trusted proxy names; null if none does. It has no rights without a session. */
    proxied: OperatorPerson | null
  }
}

/** The contract validates requests, and Fastify's schema compilers would slow down the start. */
function noCompiler(): never {
  throw new Error('routes must not have Fastify schemas')
}

/** Passes a failure to the hook. Without a failure, the request is answered and the hook must not continue. */
async function unlessItFails(answering: Promise<void>, done: (error: Error) => void): Promise<void> {
  try {
    await answering
  } catch (error) {
    done(error as Error)
  }
}

/** A route whose handler reads the body itself, as it arrives. */
export function streaming(served: RouteOptions): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    app.route(served)
    done()
  }
}

/** Small without a credential, because anyone can start a thousand requests. */
export function bodyBytesMax({ auth, body }: Pick<Route, 'auth' | 'body'>): number {
  const max = body?.bytesMax ?? 1024 * 1024
  return auth === 'public' ? Math.min(max, publicBodyBytesMax) : max
}

function answerError(
  { log }: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = refusalFor(error)
  if (refusal === null) {
    const fields = { request_id: request.id, ...traceFields(request), err: error }
    log.error(fields, 'a request failed unexpectedly')
  }
  sendProblem(
    reply,
    refusal ??
      new AppError(
        'internal_error',
        'Posthorn failed unexpectedly. Try again. If it fails again, give the request_id to the operator.',
      ),
  )
}
