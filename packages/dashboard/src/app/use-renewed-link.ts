import type { Session } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useApi } from '../api/api-context.ts'
import { adoptSession } from './adopt-session.ts'
import { hostOrigin } from './frame.ts'
import { type PortalLink, readPortalLink } from './portal-link.ts'

/**
 * In a frame: asks the host page for a new link before the session ends, and continues with it. It exchanges
 * messages only with origins that the portal session allows. docs/embedding.md explains this to hosts.
 */
export function useRenewedLink(session: Session | undefined, isEnding: boolean): void {
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const isEmbedded = api.credentials.isEmbedded
  const origins = session?.portal?.allowed_origins

  useEffect(() => {
    if (isEmbedded && isEnding && session !== undefined) askForLink(session)
  }, [isEmbedded, isEnding, session])

  useEffect(() => {
    if (!isEmbedded || origins === undefined) return
    const goOn = async ({ id, token }: PortalLink): Promise<void> => {
      const body = { token, embedded: true }
      const { access_token: accessToken, ...next } = await api.call('exchangePortalSession', {
        params: { id },
        body,
      })
      const isSame = adoptSession({ api, queries }, next, accessToken)
      if (isSame) await router.invalidate()
      else await router.navigate({ to: '/endpoints' })
    }
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== window.parent || !origins.includes(origin)) return
      const link = linkIn(data)
      // if the service refuses the link, the session ends, and the page reports that
      if (link !== null) goOn(link).catch(() => {})
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [isEmbedded, origins, api, queries, router])
}

/** Sessions for which the host was already asked, so that a remount does not ask again. */
const asked = new WeakSet<Session>()

function askForLink(session: Session): void {
  if (asked.has(session)) return
  asked.add(session)
  const message = { type: 'posthorn.session_ending', expires_at: session.expires_at }
  for (const origin of addressees(session.portal?.allowed_origins ?? [])) {
    window.parent.postMessage(message, origin)
  }
}

/** The host page's origin if the browser tells it, otherwise every allowed one: only the host receives the message. */
function addressees(origins: readonly string[]): readonly string[] {
  const host = hostOrigin()
  return host !== null && origins.includes(host) ? [host] : origins
}

function linkIn(data: unknown): PortalLink | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, url } = data as { type?: unknown; url?: unknown }
  return type === 'posthorn.portal_link' ? readPortalLink(url, window.location.origin) : null
}
