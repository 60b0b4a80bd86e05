import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { emailFilters } from '../email-filters.ts'
import { signedInRoute } from '../root-routes.tsx'
import { suppressionFilters } from '../suppression-filters.ts'

export const mailRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/emails',
    validateSearch: emailFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/emails/emails-page.tsx'),
      'EmailsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/emails/$id',
    component: lazyRouteComponent(async () => await import('../../pages/emails/email-page.tsx'), 'EmailPage'),
  }),
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
