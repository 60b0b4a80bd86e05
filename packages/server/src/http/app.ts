import { type Route, routes } from '@posthorn/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { Authenticator } from './authenticate.ts'
import { bodyBytesMax, createServer, streaming } from './create-server.ts'
import type { OperatorProxies } from '../domain/proxied-operator.ts'
import type { DashboardFiles } from './dashboard-files.ts'
import type { Oidc } from './oidc.ts'
import { createGuard } from './guard.ts'
import type { MailDoor } from '../mail/mail-door.ts'
import { serveInternalMail } from './internal-mail.ts'
import { serveInternalRoutes } from './internal-routes.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { serveOutcomes } from './outcomes.ts'
import { findPageHeaders } from './find-page-headers.ts'
import type { FrontDoor } from './require-front.ts'
import { type ServeDashboard, serveDashboard } from './serve-dashboard.ts'
import { serveOperation } from './serve-operation.ts'
import { serveSessions } from './sessions.ts'
import { serveOidc } from './serve-oidc.ts'
import { serveProviders } from './serve-providers.ts'
import { serveUnsubscribe } from './serve-unsubscribe.ts'
import type { MessageOptions } from './serve-message.ts'
import { serveSources } from './sources.ts'
import type { BeginRequestSpan } from './trace-requests.ts'
import { suppressionListHandlers } from './suppression-lists.ts'
import { serviceHandlers, type ServiceRoutesOptions } from './service-routes.ts'

export interface AppOptions extends ServiceRoutesOptions {
  readonly ctx: Ctx
  /** Null in a process that only delivers. It then serves only health and metrics. */
  readonly operatorToken: string | null
  /** Requests per second for each account. 0 turns the limit off. */
  readonly rateLimitPerSecond: number
  readonly intake: OutcomeIntake
  /** Which proxies may name operators. If missing, none. */
  readonly operatorProxies?: OperatorProxies | null
  /** The OpenID provider of operators. If missing, there is none. */
  readonly oidc?: Oidc | null
  /** Of a shard behind a front; null without shards. */
  readonly shard?: OwnShardDoor | null
  /** Whether a spam complaint suppresses the recipient. */
  readonly complaints: boolean
  /** Called for each message to a genuine return path that creates no event. */
  readonly mailIgnored: MessageOptions['mailIgnored']
  /** Called for each report of a mail server, before it is stored. */
  readonly noteReport: MessageOptions['noteReport']
  /** Null if nobody records traces. */
  readonly beginSpan?: BeginRequestSpan | null
  /** Null if it is not built. */
  readonly dashboard: DashboardFiles | null
  /** Receives unexpected errors and unreadable reports. */
  readonly log: { error(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

interface OwnShardDoor {
  readonly door: FrontDoor
  /** Reads the number of this shard again. */
  readonly lookAgain: () => Promise<void>
  /** Null without a domain for return paths. */
  readonly mail: MailDoor | null
}

/** Builds the HTTP server from the routes of the contract. It does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { shard = null } = options
  const app = createServer({
    ...options,
    served: servedRoutes(options),
    dashboard: dashboardOf(options),
    frontDoor: shard?.door ?? null,
  })
  const who = callersOf(options)
  if (shard !== null && who !== null) serveInternalRoutes(app, { ...options, ...shard, guard: who.guard })
  if (shard?.mail != null) serveInternalMail(app, shard.mail)
  addRoutes(app, options, who)
  return app
}

type Callers = ReturnType<typeof callersOf>

/** What checks the callers; null in a process that only delivers. */
function callersOf(options: AppOptions) {
  const { ctx, operatorToken } = options
  if (operatorToken === null) return null
  const who = { ...options, operatorToken, authenticator: new Authenticator(ctx, operatorToken) }
  return { ...who, guard: createGuard(who) }
}

function addRoutes(app: FastifyInstance, options: AppOptions, who: Callers): void {
  const { ctx } = options
  if (who !== null) {
    serveUnsubscribe(app, who)
    serveProviders(app, who)
    if (who.oidc) serveOidc(app, { ...who, oidc: who.oidc })
  }
  const special: Readonly<Record<string, Handler>> = {
    ...serviceHandlers(options),
    [routes.reportOutcomes.operationId]: serveOutcomes(ctx, options.intake),
    ...serveSources(ctx, options.intake, options),
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
      ...(who !== null && { onRequest: who.guard(route) }),
      handler,
    }
    if (route.body?.isStream === true) void app.register(streaming(served))
    else app.route(served)
  }
}

function dashboardOf({ ctx, operatorToken, dashboard }: AppOptions): ServeDashboard | null {
  if (operatorToken === null) return null
  const headersOf = findPageHeaders(ctx, operatorToken)
  return serveDashboard({ publicUrl: ctx.outside.publicUrl, dashboard, headersOf })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function servedRoutes({ operatorToken }: AppOptions): Route[] {
  const isOfService = ({ auth, path }: Route): boolean => auth === 'public' && !path.startsWith('/v1/')
  return Object.values<Route>(routes).filter(route => operatorToken !== null || isOfService(route))
}
