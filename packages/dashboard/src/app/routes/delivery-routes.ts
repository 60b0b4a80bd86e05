import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../root-routes.tsx'
import { deliveryFilters } from '../delivery-filters.ts'

export const deliveryRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/deliveries',
    validateSearch: deliveryFilters,
    component: lazyRouteComponent(
      async () => await import('../../pages/deliveries/deliveries-page.tsx'),
      'DeliveriesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/deliveries/$id',
    component: lazyRouteComponent(
      async () => await import('../../pages/deliveries/delivery-page.tsx'),
      'DeliveryPage',
    ),
  }),
] as const
