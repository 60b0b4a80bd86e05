import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

/** Keeps answers while the reader visits other pages. Retries failures, but not refusals. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // offline too, so that the page can report the missing answer at once
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
