import { askForOverview } from '../pages/overview/overview-questions.ts'
import { overviewSearch } from '../pages/overview/overview-range.ts'
import { signedInRoute } from './root-routes.tsx'
import type { createDashboardRouter } from './router.tsx'
import { sessionQuery } from './session-query.ts'

/** Loads the code of the page at a URL, and asks for the session and for what the overview shows, before anything is drawn. */
export async function beginPage(
  router: ReturnType<typeof createDashboardRouter>,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): Promise<void> {
  const { context } = router.options
  const [routes] = router.getMatchedRoutes(pathname)
  for (const route of routes) void router.loadRouteChunk(route)
  if (!routes.some(({ id }) => id === signedInRoute.id)) return
  const session = await context.queries.fetchQuery(sessionQuery(context.api)).catch(() => null)
  if (pathname !== '/' || session === null || session.kind === 'operator') return
  askForOverview(context, overviewSearch(Object.fromEntries(new URLSearchParams(search))).range)
}
