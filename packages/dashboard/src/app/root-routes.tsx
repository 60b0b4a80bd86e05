import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  Outlet,
  redirect,
  useRouterState,
} from '@tanstack/react-router'
import type { Api } from '../api/api-context.ts'
import { ApiProblem } from '../api/problem.ts'
import { LiveRegion } from '../components/live-region.tsx'
import { CrashPage } from './crash-page.tsx'
import { mayOpen } from './may-open.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { sessionQuery } from './session-query.ts'
import { Shell } from './shell.tsx'
import type { Visit } from './visit.ts'

export interface RouterContext {
  readonly api: Api
  readonly queries: QueryClient
  readonly visit: Visit
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <Outlet />
      <LiveRegion />
    </>
  ),
  notFoundComponent: () => (
    <main>
      <NotFoundPage />
    </main>
  ),
})

/** All pages that need a session. Without one the router opens the sign-in page, then returns. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      const session = await context.queries.ensureQueryData(sessionQuery(context.api))
      if (session.kind === 'operator' && location.pathname === '/') throw redirect({ to: '/operator' })
      return { session }
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error
      throw redirect({
        href: location.href === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: location.href })}`,
      })
    }
  },
  component: SignedIn,
  // an error here happens before the shell exists
  errorComponent: props => (
    <main>
      <CrashPage {...props} />
    </main>
  ),
})

function SignedIn() {
  const { session, visit } = signedInRoute.useRouteContext()
  const pathname = useRouterState({
    select: state => state.resolvedLocation?.pathname ?? state.location.pathname,
  })
  return (
    <Shell session={session} hasSidebar={visit.hasSidebar}>
      {mayOpen(session, pathname) ? <Outlet /> : <NotFoundPage />}
    </Shell>
  )
}
