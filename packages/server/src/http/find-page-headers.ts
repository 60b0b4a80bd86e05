import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { findPortalPage } from '../sessions/find-portal-page.ts'
import { findSession } from '../sessions/find-session.ts'
import { noAllowances, type PageAllowances, pageHeaders } from './page-headers.ts'
import { portalLinkIn } from './portal-path.ts'
import { refusalFor } from './problem.ts'
import type { PageHeadersOf } from './serve-dashboard.ts'
import { sessionTokenOf } from './session-cookie.ts'

/** Finds the headers of a page by the portal link in its path, or by the session of the request. */
export function findPageHeaders(ctx: Ctx, operatorToken: string): PageHeadersOf {
  return async (request, path, address) =>
    pageHeaders(await allowancesOf(ctx, operatorToken, path, request), address)
}

/** Only the page of a portal link may be framed. In a portal session, every page may show the portal's logo. */
async function allowancesOf(
  ctx: Ctx,
  operatorToken: string,
  path: string,
  request: FastifyRequest,
): Promise<PageAllowances> {
  const linkId = portalLinkIn(path)
  if (linkId !== null) {
    const page = await unlessAway(findPortalPage(ctx, linkId))
    return { framedBy: page?.allowedOrigins ?? [], imageOrigin: originOf(page?.logoUrl) }
  }
  const token = sessionTokenOf(request)
  if (token === undefined) return noAllowances
  const live = await unlessAway(findSession(ctx, { token, bearer: false }, operatorToken))
  return { framedBy: [], imageOrigin: originOf(live?.portal?.logoUrl) }
}

/** If the database is down or the account moves, the page still loads and reports it. */
async function unlessAway<Found>(question: Promise<Found>): Promise<Found | undefined> {
  try {
    return await question
  } catch (error) {
    const code = refusalFor(error)?.code
    if (code === 'database_unavailable' || code === 'account_moving') return undefined
    throw error
  }
}

function originOf(url: string | null | undefined): string | null {
  return url === null || url === undefined ? null : new URL(url).origin
}
