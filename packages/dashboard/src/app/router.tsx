import { createRouter } from '@tanstack/react-router'
import { NotFoundPage } from './not-found-page.tsx'
import { CrashPage } from './crash-page.tsx'
import { type RouterContext, rootRoute, signedInRoute } from './root-routes.tsx'
import { accountRoutes } from './routes/account-routes.ts'
import { deliveryRoutes } from './routes/delivery-routes.ts'
import { endpointRoutes } from './routes/endpoint-routes.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { mailRoutes } from './routes/mail-routes.ts'
import { operatorRoutes } from './routes/operator-routes.ts'
import { overviewRoutes } from './routes/overview-routes.ts'
import { replayRoutes } from './routes/replay-routes.ts'
import { signInRoutes } from './routes/sign-in-routes.ts'
import { toolRoutes } from './routes/tool-routes.ts'

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  signedInRoute.addChildren([
    ...overviewRoutes,
    ...endpointRoutes,
    ...deliveryRoutes,
    ...eventRoutes,
    ...replayRoutes,
    ...mailRoutes,
    ...toolRoutes,
    ...accountRoutes,
    ...operatorRoutes,
  ]),
])

/** Every page by its URL, filters included. */
export function createDashboardRouter(context: RouterContext) {
  const router = createRouter({
    routeTree,
    context,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: CrashPage,
  })
  const { preloadRoute } = router
  // a hover over a link must not load code during silence
  router.preloadRoute = async options =>
    context.api.silence.isHeld ? undefined : await preloadRoute(options)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
