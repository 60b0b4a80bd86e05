import type { ExchangedSession, PortalSessionCreated, Session } from '@posthorn/contract'
import { type Answer, call, operatorToken, type TestApp } from './test-app.ts'

/** The address of the service for a browser on the same machine. */
export const loopback = { host: '127.0.0.1:4100', origin: 'http://127.0.0.1:4100' }

/** A person who is signed in with a cookie, whose requests look like those of our page. */
export interface SignedIn {
  readonly session: Session
  /** The cookie as the browser sends it back. */
  readonly cookie: string
  readonly ask: (method: string, url: string, options?: Parameters<typeof call>[3]) => Promise<Answer>
}

/** Signs in on the same machine, with an API key or the operator token. */
export async function signIn(app: TestApp, credential: string): Promise<SignedIn> {
  const answer = await call(app, 'POST', '/v1/sessions', { json: { credential }, headers: loopback })
  return signedIn(app, answer)
}

/** What a browser and the page keep from an answer that opens a session. */
export function signedIn(app: TestApp, { status, headers, body }: Answer): SignedIn {
  if (status !== 201 && status !== 200) throw new Error(`not signed in: ${status} ${JSON.stringify(body)}`)
  const session = body as unknown as Session
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  return {
    session,
    cookie,
    ask: async (method, url, options = {}) =>
      await call(app, method, url, {
        ...options,
        headers: {
          ...loopback,
          cookie,
          ...(method !== 'GET' && { 'x-csrf-token': session.csrf_token }),
          ...options.headers,
        },
      }),
  }
}

/** Creates a portal link for an account, as the operator. */
export async function newPortalLink(
  app: TestApp,
  input: { account_id: string } & Record<string, unknown>,
): Promise<{ id: string; token: string; url: string }> {
  const { status, body } = await call(app, 'POST', '/v1/portal-sessions', { as: operatorToken, json: input })
  if (status !== 201) throw new Error(`no link: ${JSON.stringify(body)}`)
  const { id, url } = body as unknown as PortalSessionCreated
  return { id, url: url ?? '', token: (url ?? '').split('#')[1] ?? '' }
}

/** Exchanges a link for a session, as the portal page does. */
export async function exchange(
  app: TestApp,
  link: { id: string; token: string },
  embedded: boolean,
): Promise<Answer> {
  return await call(app, 'POST', `/v1/portal-sessions/${link.id}/exchange`, {
    json: { token: link.token, embedded },
    headers: loopback,
  })
}

/** Opens a portal in a frame and returns its bearer token. */
export async function openPortal(app: TestApp, accountId: string): Promise<string> {
  const { body } = await exchange(app, await newPortalLink(app, { account_id: accountId }), true)
  return (body as unknown as ExchangedSession).access_token ?? ''
}
