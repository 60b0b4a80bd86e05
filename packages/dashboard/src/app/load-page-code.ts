import type { createDashboardRouter } from './router.tsx'

/** Loads the code of the page at a URL while the session request is under way. */
export function loadPageCode(router: ReturnType<typeof createDashboardRouter>, path: string): void {
  const [routes] = router.getMatchedRoutes(path)
  for (const route of routes) void router.loadRouteChunk(route)
}
