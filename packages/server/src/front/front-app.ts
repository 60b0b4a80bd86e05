import { type Route, routes } from '@posthorn/contract'
import type { FastifyInstance, onSendHookHandler } from 'fastify'
import type { OperatorProxies } from '../domain/proxied-operator.ts'
import { bodyBytesMax, createServer, streaming } from '../http/create-server.ts'
import type { DashboardFiles } from '../http/dashboard-files.ts'
import { serveDashboard } from '../http/serve-dashboard.ts'
import { forward } from './forward.ts'
import type { Front } from './front.ts'
import { pageHeadersAt } from './page-headers.ts'
import { forwardOidc } from './forward-oidc.ts'
import { forwardProviders } from './forward-providers.ts'
import { forwardUnsubscribe } from './forward-unsubscribe.ts'
import { readWholeBody } from './read-whole-body.ts'
import { keepBody } from './request-body.ts'
import { isDecided } from './route-request.ts'
import { type FrontOwn, ownHandlers } from './own-handlers.ts'
import { type Handler, serveRoute } from './serve-route.ts'

export interface FrontAppOptions extends FrontOwn {
  /** Null if it is not built. */
  readonly dashboard: DashboardFiles | null
  /** Which proxies may name operators. */
  readonly operatorProxies: OperatorProxies | null
}

/** Builds the HTTP server of a front. It does not listen yet. */
export function createFrontApp(front: Front, options: FrontAppOptions): FastifyInstance {
  const all = Object.values<Route>(routes)
  const headersOf = pageHeadersAt(front)
  const dashboard = serveDashboard({ publicUrl: front.publicUrl, dashboard: options.dashboard, headersOf })
  const app = createServer({ ...options, served: all, dashboard, log: front.log, wait: front.wait })
  app.addHook('onSend', closeIfTooLarge)
  forwardUnsubscribe(app, front)
  forwardProviders(app, front)
  forwardOidc(app, front)
  const own = ownHandlers(front, options)
  for (const route of all) {
    const served = {
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyBytesMax(route),
      handler: handlerOf(front, route, own),
    }
    void app.register(streaming(served))
  }
  return app
}

/** The client may never send the rest of a body that is too large. */
const closeIfTooLarge: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode === 413 && !request.raw.complete) void reply.header('connection', 'close')
  done(null, payload)
}

function handlerOf(front: Front, route: Route, own: Readonly<Record<string, Handler>>): Handler {
  const handler = ownOrRouted(front, route, own)
  return async (request, reply) => {
    if (route.front === 'front') await readWholeBody(front.held, route, request, reply)
    if (route.auth === 'public' || front.readCaller(request).kind !== 'nobody') {
      return await handler(request, reply)
    }
    // shard 0 refuses the request before its body arrives
    const body = await keepBody(front.held, route, request, reply, 0)
    return await forward(front, request, reply, { target: { shard: 0 }, body })
  }
}

function ownOrRouted(front: Front, route: Route, own: Readonly<Record<string, Handler>>): Handler {
  const handler = own[route.operationId]
  if (isDecided(route)) return serveRoute(front, route, handler)
  if (handler === undefined) throw new Error(`no handler serves ${route.operationId}`)
  return handler
}
