import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../root-routes.tsx'
import { eventFilters } from '../event-filters.ts'

export const eventRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/events',
    validateSearch: eventFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/events/events-page.tsx'),
      'EventsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/events/$id',
    component: lazyRouteComponent(async () => await import('../../pages/events/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/event-types',
    component: lazyRouteComponent(
      async () => await import('../../pages/event-types/event-types-page.tsx'),
      'EventTypesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/event-types/$type',
    component: lazyRouteComponent(
      async () => await import('../../pages/event-types/event-type-page.tsx'),
      'EventTypePage',
    ),
  }),
] as const
