import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditFilters } from '../audit-filters.ts'
import { signedInRoute } from '../root-routes.tsx'

export const operatorRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/operator',
    component: lazyRouteComponent(
      async () => await import('../../pages/operator/health-page.tsx'),
      'OperatorHealthPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/operator/accounts',
    component: lazyRouteComponent(
      async () => await import('../../pages/operator/accounts-page.tsx'),
      'AccountsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/operator/accounts/$id',
    validateSearch: auditFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/operator/account-page.tsx'),
      'AccountPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/operator/system',
    component: lazyRouteComponent(
      async () => await import('../../pages/operator/system-page.tsx'),
      'SystemPage',
    ),
  }),
] as const
