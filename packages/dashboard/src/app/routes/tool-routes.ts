import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../root-routes.tsx'

export const toolRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/tools/signature',
    validateSearch: ({ delivery }: Record<string, unknown>): { delivery?: string } =>
      typeof delivery === 'string' ? { delivery } : {},
    // before the fields appear, because the page sends no request while they have content
    loader: async () => void (await import('../../components/receiver-snippet.tsx')),
    component: lazyRouteComponent(
      async () => await import('../../pages/signature-debugger/signature-debugger-page.tsx'),
      'SignatureDebuggerPage',
    ),
  }),
] as const
