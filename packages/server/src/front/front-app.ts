import { type Route, routes } from '@posthorn/contract'
import type { FastifyInstance } from 'fastify'
import { bodyBytesMax, createServer, streaming } from '../http/create-server.ts'
import type { DashboardFiles } from '../http/dashboard-files.ts'
import { serveDashboard } from '../http/serve-dashboard.ts'
import type { Front } from './front.ts'
import { pageHeadersAt } from './page-headers.ts'
import { forwardUnsubscribe } from './forward-unsubscribe.ts'
import { isDecided } from './route-request.ts'
import { type FrontOwn, ownHandlers } from './own-handlers.ts'
import { type Handler, serveRoute } from './serve-route.ts'

export interface FrontAppOptions extends FrontOwn {
  /** Null if it is not built. */
  readonly dashboard: DashboardFiles | null
}

/** Builds the HTTP server of a front. It does not listen yet. */
export function createFrontApp(front: Front, options: FrontAppOptions): FastifyInstance {
  const all = Object.values<Route>(routes)
  const headersOf = pageHeadersAt(front)
  const dashboard = serveDashboard({ publicUrl: front.publicUrl, dashboard: options.dashboard, headersOf })
  const app = createServer({ served: all, dashboard, log: front.log, wait: front.wait })
  forwardUnsubscribe(app, front)
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

function handlerOf(front: Front, route: Route, own: Readonly<Record<string, Handler>>): Handler {
  const handler = own[route.operationId]
  if (isDecided(route)) return serveRoute(front, route, handler)
  if (handler === undefined) throw new Error(`no handler serves ${route.operationId}`)
  return handler
}
