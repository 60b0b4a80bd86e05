import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../root-routes.tsx'

export const replayRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/replays/$id',
    component: lazyRouteComponent(
      async () => await import('../../pages/replays/replay-page.tsx'),
      'ReplayPage',
    ),
  }),
] as const
