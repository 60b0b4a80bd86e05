import { type SignInProblem, signInProblems } from '@posthorn/contract/plain'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../root-routes.tsx'

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: ({
      next,
      problem,
    }: Record<string, unknown>): { next?: string; problem?: SignInProblem } => {
      const known = signInProblems.find(one => one === problem)
      return { ...(typeof next === 'string' && { next }), ...(known !== undefined && { problem: known }) }
    },
    component: lazyRouteComponent(
      async () => await import('../../pages/sign-in/sign-in-page.tsx'),
      'SignInPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/portal/$portalSessionId',
    // theme and nav are options too, but they are read before the page renders
    validateSearch: ({ path }: Record<string, unknown>): { path?: string } =>
      typeof path === 'string' ? { path } : {},
    component: lazyRouteComponent(
      async () => await import('../../pages/sign-in/portal-page.tsx'),
      'PortalPage',
    ),
  }),
] as const
