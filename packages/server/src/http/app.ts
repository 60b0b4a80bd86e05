import { randomUUID } from 'node:crypto'
import { publicBodyBytesMax, type Route, routes } from '@posthorn/contract'
import {
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RouteOptions,
} from 'fastify'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { Authenticator } from './authenticate.ts'
import { answerClientError, answerExpectation } from './client-error.ts'
import type { DashboardFiles } from './dashboard-files.ts'
import { createGuard } from './guard.ts'
import { headerError } from './header-error.ts'
import { sayLastAnswers } from './last-answers.ts'
import { connectionsMax, limitConnections } from './limit-connections.ts'
import { answerNotFound } from './not-found.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { serveOutcomes } from './outcomes.ts'
import { refusalFor, sendProblem } from './problem.ts'
import { type ServeDashboard, serveDashboard } from './serve-dashboard.ts'
import { serveOperation } from './serve-operation.ts'
import { serveSessions } from './sessions.ts'
import { serveUnsubscribe } from './serve-unsubscribe.ts'
import { serveSources } from './sources.ts'
import { suppressionListHandlers } from './suppression-lists.ts'
import { UnreadAnswers } from './unread-answers.ts'
import { serviceHandlers, type ServiceRoutesOptions } from './service-routes.ts'

export interface AppOptions extends ServiceRoutesOptions {
  readonly ctx: Ctx
  /** Null in a process that only delivers. It then serves only health and metrics. */
  readonly operatorToken: string | null
  /** Requests per second for each API key. 0 turns the limit off. */
  readonly rateLimitPerSecond: number
  readonly intake: OutcomeIntake
  /** Whether a spam complaint suppresses the recipient. */
  readonly complaints: boolean
  /** Null if it is not built. */
  readonly dashboard: DashboardFiles | null
  /** Receives unexpected errors. */
  readonly log: { error(fields: object, message: string): void }
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

/** Enough for 10 MB over a slow line. Without a limit, a client could keep a connection forever. */
const requestTimeoutMs = 120_000

/** Closes connections without traffic: clients that never send a request or never read a response. */
const silenceMsMax = 180_000

/** Builds the HTTP server from the routes of the contract. It does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
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
    // Node's own response would not be a problem document
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => answerError(options, error, request, reply),
  })
  app.server.on('checkExpectation', answerExpectation)
  limitConnections(app.server, connectionsMax)
  const unread = new UnreadAnswers()
  const answerUnknown = answerNotFound(servedRoutes(options), dashboardOf(options))
  app.decorateRequest('caller', null)
  app.decorateRequest('contentType', undefined)
  // lets our own check refuse a GET with a body, like any operation that accepts none
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, reply, done) => {
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
  addRoutes(app, options)
  return app
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

function addRoutes(app: FastifyInstance, options: AppOptions): void {
  const { ctx, operatorToken } = options
  const who =
    operatorToken === null
      ? null
      : { ...options, operatorToken, authenticator: new Authenticator(ctx, operatorToken) }
  const guard = who && createGuard(who)
  if (who !== null) serveUnsubscribe(app, who)
  const special: Readonly<Record<string, Handler>> = {
    ...serviceHandlers(options),
    [routes.reportOutcomes.operationId]: serveOutcomes(ctx, options.intake),
    ...serveSources(ctx, options.intake, options.complaints),
    ...suppressionListHandlers(ctx),
    ...(who && serveSessions(who)),
  }
  const verbs = operations as unknown as Readonly<Record<string, Operation<Route>>>
  for (const route of servedRoutes(options)) {
    const verb = verbs[route.operationId]
    const handler = verb === undefined ? special[route.operationId] : serveOperation(route, verb, options)
    if (handler === undefined) throw new Error(`no handler serves ${route.operationId}`)
    const served = {
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyBytesMax(route),
      ...(guard !== null && { onRequest: guard(route) }),
      handler,
    }
    if (route.body?.isStream === true) void app.register(streaming(served))
    else app.route(served)
  }
}

/** A route whose handler reads the body itself, as it arrives. */
function streaming(served: RouteOptions): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    app.route(served)
    done()
  }
}

/** Small without a credential, because anyone can start a thousand requests. */
function bodyBytesMax({ auth, body }: Route): number {
  const max = body?.bytesMax ?? 1024 * 1024
  return auth === 'public' ? Math.min(max, publicBodyBytesMax) : max
}

function dashboardOf({ operatorToken, ...options }: AppOptions): ServeDashboard | null {
  return operatorToken === null ? null : serveDashboard({ ...options, operatorToken })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function servedRoutes({ operatorToken }: AppOptions): Route[] {
  const isOfService = ({ auth, path }: Route): boolean => auth === 'public' && !path.startsWith('/v1/')
  return Object.values<Route>(routes).filter(route => operatorToken !== null || isOfService(route))
}

function answerError(
  { log }: AppOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = refusalFor(error)
  if (refusal === null) log.error({ request_id: request.id, err: error }, 'a request failed unexpectedly')
  sendProblem(
    reply,
    refusal ??
      new AppError(
        'internal_error',
        'Posthorn failed unexpectedly. Try again. If it fails again, give the request_id to the operator.',
      ),
  )
}
