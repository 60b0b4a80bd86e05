import type { Session } from '@posthorn/contract'
import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../api/api-context.ts'
import { sessionQuery } from './session-query.ts'

/**
 * Continues with a new session: reloads all data and forgets that of another account. Returns whether the account is
 * the same, so that the page can keep what was typed.
 * @param accessToken in a frame, where cookies are unreliable
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
