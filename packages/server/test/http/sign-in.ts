import type { ExchangedSession, PortalSessionCreated, Session } from '@posthorn/contract'
import { type Answer, call, operatorToken, type TestApp } from './test-app.ts'

/** Where a browser on the machine itself finds the service. */
export const loopback = { host: '127.0.0.1:4100', origin: 'http://127.0.0.1:4100' }

/** Someone who is signed in with a cookie, as a page of ours asks for them. */
export interface SignedIn {
  readonly session: Session
  /** As a browser sends it back. */
  readonly cookie: string
  readonly ask: (method: string, url: string, options?: Parameters<typeof call>[3]) => Promise<Answer>
}

/** Signs in on the machine itself, with an API key or the operator token. */
export async function signIn(app: TestApp, credential: string): Promise<SignedIn> {
  const answer = await call(app, 'POST', '/v1/sessions', { json: { credential }, headers: loopback })
  return signedIn(app, answer)
}

/** What a browser and its page make of an answer that opens a session. */
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

/** A portal link, as the operator makes it for an account. */
export async function newPortalLink(
  app: TestApp,
  input: { account_id: string } & Record<string, unknown>,
): Promise<{ id: string; token: string; url: string }> {
  const { status, body } = await call(app, 'POST', '/v1/portal-sessions', { as: operatorToken, json: input })
  if (status !== 201) throw new Error(`no link: ${JSON.stringify(body)}`)
  const { id, url } = body as unknown as PortalSessionCreated
  return { id, url: url ?? '', token: (url ?? '').split('#')[1] ?? '' }
}

/** Opens a link, as the page behind it does. */
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

/** The bearer token of a portal in a frame. */
export async function openPortal(app: TestApp, accountId: string): Promise<string> {
  const { body } = await exchange(app, await newPortalLink(app, { account_id: accountId }), true)
  return (body as unknown as ExchangedSession).access_token ?? ''
}
