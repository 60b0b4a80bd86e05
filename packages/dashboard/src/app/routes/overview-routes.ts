import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { askForOverview } from '../../pages/overview/overview-questions.ts'
import { overviewSearch } from '../../pages/overview/overview-range.ts'
import { signedInRoute } from '../root-routes.tsx'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/',
    validateSearch: overviewSearch,
    // the operator has no account, so the start page is Health
    beforeLoad: ({ context }) => {
      if (context.session.kind === 'operator') throw redirect({ to: '/operator' })
    },
    loaderDeps: ({ search: { range } }) => ({ range }),
    loader: ({ context, deps }) => askForOverview(context, deps.range),
    component: lazyRouteComponent(
      async () => await import('../../pages/overview/overview-page.tsx'),
      'OverviewPage',
    ),
  }),
] as const
