import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditFilters } from '../audit-filters.ts'
import { signedInRoute } from '../root-routes.tsx'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/api-keys',
    component: lazyRouteComponent(
      async () => await import('../../pages/account/api-keys-page.tsx'),
      'ApiKeysPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/audit-log',
    validateSearch: auditFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/account/audit-log-page.tsx'),
      'AuditLogPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/settings',
    component: lazyRouteComponent(
      async () => await import('../../pages/account/settings-page.tsx'),
      'SettingsPage',
    ),
  }),
] as const
