import { signedInRoute } from './root-routes.tsx'
import type { createDashboardRouter } from './router.tsx'
import { sessionQuery } from './session-query.ts'

/** Loads the code of the page at a URL and asks for the session, both before anything is drawn. */
export function beginPage(router: ReturnType<typeof createDashboardRouter>, path: string): void {
  const { api, queries } = router.options.context
  const [routes] = router.getMatchedRoutes(path)
  for (const route of routes) {
    void router.loadRouteChunk(route)
    if (route.id === signedInRoute.id) void queries.prefetchQuery(sessionQuery(api))
  }
}
