import { type Auth, type PortalScope, type Route, routes } from '@posthorn/contract'
import type { Page } from 'playwright-core'

/** The kind of session, to decide which operations it may call. */
export type Rights = 'operator' | readonly PortalScope[]

/** Operations of the API that a session with these rights may not call. */
export function foreignOperations(rights: Rights): readonly Route[] {
  return Object.values(routes).filter(({ auth }) => !isOwn(auth, rights))
}

function isOwn(auth: Auth, rights: Rights): boolean {
  if (auth === 'public' || auth === 'session') return true
  if (rights === 'operator') return auth.startsWith('operator')
  if (auth === 'send_and_keys') return rights.includes('send') && rights.includes('keys')
  return rights.some(scope => auth === scope || auth === `operator_or_${scope}`)
}

/** Calls an operation like a script of the page could; returns the status. */
export async function force(page: Page, { method, path }: Route): Promise<number> {
  const { request } = page.context()
  const session = (await (await request.get('/v1/session')).json()) as { csrf_token: string }
  const answer = await request.fetch(path.replaceAll(/\{\w+\}/g, 'none'), {
    method,
    headers: { 'x-csrf-token': session.csrf_token },
    ...(method !== 'GET' && { data: {} }),
  })
  return answer.status()
}
