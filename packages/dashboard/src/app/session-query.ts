import type { Session } from '@posthorn/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../api/api-context.ts'

/** Loads the session. Passes its CSRF token to the credentials. */
export function sessionQuery({ call, credentials }: Api) {
  return queryOptions({
    queryKey: ['session'],
    queryFn: async (): Promise<Session> => {
      const session = await call('getSession')
      if (!credentials.isEmbedded) credentials.useCookie(session.csrf_token)
      return session
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
