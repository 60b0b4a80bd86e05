import type { Session } from '@posthorn/contract'
import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../api/api-context.ts'
import { sessionQuery } from './session-query.ts'

/**
 * Goes on with a session that was just opened. What is shown is read anew; what belongs to another account is forgotten.
 * Returns whether the account is the same, so that the page, and what was typed into it, may stay.
 * @param accessToken in a frame, where no cookie can be relied on
 */
export function adoptSession(
  { api, queries }: { readonly api: Api; readonly queries: QueryClient },
  session: Session,
  accessToken: string | null = null,
): boolean {
  const { queryKey } = sessionQuery(api)
  const before = queries.getQueryData(queryKey)
  const isSame = before !== undefined && before.account?.id === session.account?.id
  if (accessToken === null) api.credentials.useCookie(session.csrf_token)
  else api.credentials.useBearer(accessToken)
  if (!isSame) queries.clear()
  queries.setQueryData(queryKey, session)
  if (isSame) void queries.invalidateQueries({ predicate: query => query.queryKey[0] !== queryKey[0] })
  return isSame
}
