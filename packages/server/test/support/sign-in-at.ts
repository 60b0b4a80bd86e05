import {
  type ExchangedSession,
  type PortalSessionCreated,
  portalScopes,
  type Session,
} from '@posthorn/contract'
import { type Api, expectStatus } from './api.ts'

/** The headers that our page sends with each request after signing in. */
export interface SessionHeaders {
  readonly cookie: string
  readonly origin: string
  readonly 'x-csrf-token': string
}

/** Signs in to a service on this machine, with an API key or the operator token. */
export async function signInAt(url: string, credential: string): Promise<SessionHeaders> {
  const { origin } = new URL(url)
  const response = await fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ credential }),
  })
  if (response.status !== 201) throw new Error(`not signed in: ${response.status} ${await response.text()}`)
  const session = (await response.json()) as Session
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, origin, 'x-csrf-token': session.csrf_token }
}

/** Creates a portal link for an account, with all scopes of a portal, and returns it with its secret. */
export async function newPortalLinkAt(
  operator: Api,
  accountId: string,
): Promise<{ id: string; token: string }> {
  const link = expectStatus(
    201,
    await operator.post<PortalSessionCreated>('/v1/portal-sessions', {
      account_id: accountId,
      scopes: portalScopes,
    }),
  )
  return { id: link.id, token: link.url?.split('#')[1] ?? '' }
}

/** Opens a portal in a frame and returns its bearer token. */
export async function openPortalAt(url: string, operator: Api, accountId: string): Promise<string> {
  const { id, token } = await newPortalLinkAt(operator, accountId)
  const answer = await operator.post<ExchangedSession>(`/v1/portal-sessions/${id}/exchange`, {
    token,
    embedded: true,
  })
  return expectStatus(200, answer).access_token ?? `${url} gave no token`
}
