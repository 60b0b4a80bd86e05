import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../root-routes.tsx'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/',
    component: lazyRouteComponent(
      async () => await import('../../pages/overview/overview-page.tsx'),
      'OverviewPage',
    ),
  }),
] as const
