import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

/** Answers are kept while one looks elsewhere; what the service refuses is not asked again, what failed is. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // also without a network: that nobody answers is told, not waited out in silence
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 2_000,
        gcTime: 300_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && error.status < 500),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
