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
  /** Null in a process that only sends: then nothing but health and metrics is served. */
  readonly operatorToken: string | null
  /** Requests per second for each API key; 0 is off. */
  readonly rateLimitPerSecond: number
  readonly intake: OutcomeIntake
  /** Whether a spam complaint ends the mails to whom it comes from. */
  readonly complaints: boolean
  /** Null when it is not built. */
  readonly dashboard: DashboardFiles | null
  /** Where what nobody foresaw is told. */
  readonly log: { error(fields: object, message: string): void }
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

/** Enough for ten megabytes over a slow line; without it a client could hold a connection for ever. */
const requestTimeoutMs = 120_000

/** A connection on which nothing moves for so long is closed: one that never asks anything, or never reads. */
const silenceMsMax = 180_000

/** Builds the HTTP side of the service from the contract's routes. It does not listen yet. */
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
    // while it closes, what still arrives on open connections is served
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // Node's own refusal would be no problem document
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => answerError(options, error, request, reply),
  })
  app.server.on('checkExpectation', answerExpectation)
  limitConnections(app.server, connectionsMax)
  const unread = new UnreadAnswers()
  const answerUnknown = answerNotFound(servedRoutes(options), dashboardOf(options))
  app.decorateRequest('caller', null)
  app.decorateRequest('contentType', undefined)
  // a GET with a payload is refused like any other operation that takes none
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    request.contentType = request.headers['content-type']
    // not deleted: an object that loses a property is slow from then on
    request.headers['content-type'] = undefined
    const wrong = headerError(request.raw)
    // what no route takes is answered without reading what comes with it
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

/** The contract checks requests. Fastify's compilers for schemas would be a tenth of what a start loads. */
function noCompiler(): never {
  throw new Error('routes have no schema that Fastify knows')
}

/** Tells a hook of a failure. Without one the request is answered, and nothing else is to be done with it. */
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
    if (handler === undefined) throw new Error(`nothing serves ${route.operationId}`)
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

/** What a route takes; without a credential little, because anybody can begin a thousand requests. */
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
  if (refusal === null)
    log.error({ request_id: request.id, err: error }, 'a request failed in an unforeseen way')
  sendProblem(
    reply,
    refusal ?? new AppError('internal_error', 'Something went wrong on our side. Try again.'),
  )
}
