import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../root-routes.tsx'
import { suppressionFilters } from '../suppression-filters.ts'

export const mailRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/suppressions',
    validateSearch: suppressionFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/suppressions/suppressions-page.tsx'),
      'SuppressionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/domains',
    component: lazyRouteComponent(
      async () => await import('../../pages/domains/domains-page.tsx'),
      'DomainsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/domains/$id',
    component: lazyRouteComponent(
      async () => await import('../../pages/domains/domain-page.tsx'),
      'DomainPage',
    ),
  }),
] as const
