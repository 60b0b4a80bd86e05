import type { createDashboardRouter } from './router.tsx'

/** Loads the code of the page at an address, so that it comes while the service is asked who is signed in. */
export function loadPageCode(router: ReturnType<typeof createDashboardRouter>, path: string): void {
  const [routes] = router.getMatchedRoutes(path)
  for (const route of routes) void router.loadRouteChunk(route)
}
