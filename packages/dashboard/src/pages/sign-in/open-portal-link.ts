import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { adoptSession } from '../../app/adopt-session.ts'
import { sessionQuery } from '../../app/session-query.ts'

/**
 * Opens the session of a portal link. After a reload it continues the session that the same browser opened with the
 * link.
 * @throws ApiProblem `portal_link_ended` among others
 */
export async function openPortalLink(
  { api, queries }: { readonly api: Api; readonly queries: QueryClient },
  link: { readonly id: string; readonly token: string | null },
  isEmbedded: boolean,
): Promise<void> {
  try {
    const { access_token: accessToken, ...session } = await api.call('exchangePortalSession', {
      params: { id: link.id },
      // without its secret a link is refused like a used one
      body: { token: link.token ?? '-', embedded: isEmbedded },
    })
    adoptSession({ api, queries }, session, accessToken)
  } catch (error) {
    const isUsed = error instanceof ApiProblem && error.code === 'portal_link_ended'
    if (!isUsed || isEmbedded || !(await isOpenAlready({ api, queries }, link.id))) throw error
  }
}

async function isOpenAlready(
  { api, queries }: { readonly api: Api; readonly queries: QueryClient },
  id: string,
): Promise<boolean> {
  try {
    return (await queries.fetchQuery(sessionQuery(api))).id === id
  } catch {
    return false
  }
}
