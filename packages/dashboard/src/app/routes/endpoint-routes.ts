import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { replayChoice } from '../replay-choice.ts'
import { signedInRoute } from '../root-routes.tsx'
import { deliveryFilters } from '../delivery-filters.ts'
import { endpointFilters } from '../endpoint-filters.ts'

export const endpointRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints',
    validateSearch: endpointFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/endpoints/endpoints-page.tsx'),
      'EndpointsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints/new',
    component: lazyRouteComponent(
      async () => await import('../../pages/endpoints/new-endpoint-page.tsx'),
      'NewEndpointPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints/$id',
    validateSearch: deliveryFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/endpoints/endpoint-deliveries-page.tsx'),
      'EndpointDeliveriesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints/$id/keys',
    component: lazyRouteComponent(
      async () => await import('../../pages/keys/signing-keys-page.tsx'),
      'SigningKeysPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints/$id/check',
    component: lazyRouteComponent(
      async () => await import('../../pages/endpoints/check-page.tsx'),
      'CheckPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints/$id/replays',
    validateSearch: replayChoice,
    component: lazyRouteComponent(
      async () => await import('../../pages/replays/endpoint-replays-page.tsx'),
      'EndpointReplaysPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/endpoints/$id/settings',
    component: lazyRouteComponent(
      async () => await import('../../pages/endpoints/endpoint-settings-page.tsx'),
      'EndpointSettingsPage',
    ),
  }),
] as const
