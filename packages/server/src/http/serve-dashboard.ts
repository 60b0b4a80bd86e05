import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { findPortalPage } from '../sessions/find-portal-page.ts'
import { findSession } from '../sessions/find-session.ts'
import type { DashboardFiles } from './dashboard-files.ts'
import { ownAddress } from './own-address.ts'
import { noAllowances, type PageAllowances, pageHeaders } from './page-headers.ts'
import { plainPage } from './plain-page.ts'
import { refusalFor } from './problem.ts'
import { sendFile, sendWhole } from './send-file.ts'
import { sessionTokenOf } from './session-cookie.ts'

export interface DashboardOptions {
  readonly ctx: Ctx
  readonly operatorToken: string
  /** Null if the dashboard is not built. */
  readonly dashboard: DashboardFiles | null
}

/** Answers a request for the dashboard and returns true, or returns false for any other request. */
export type ServeDashboard = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/** Serves the files of the dashboard, the API reference, and the dashboard page under every path outside the API. */
export function serveDashboard(options: DashboardOptions): ServeDashboard {
  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const [path = ''] = request.url.split('?')
    const file = path === indexPath || path === referenceFile ? undefined : options.dashboard?.get(path)
    if (file === undefined && !isPage(path, request)) return false
    if (path === referencePath) sendReference(options, request, reply)
    else if (file === undefined) await sendPage(options, path, request, reply)
    else sendFile(request, reply, file)
    return true
  }
}

const indexPath = '/index.html'
const referencePath = '/docs'
const referenceFile = '/docs.html'

/** A missing file or a mistyped API path must get 404 and not the page. */
function isPage(path: string, { headers }: FastifyRequest): boolean {
  if (/^\/(v1|assets|metrics|healthz|readyz|openapi\.json)(\/|$)/.test(path)) return false
  return path === '/' || path === referencePath || (headers.accept ?? '').includes('text/html')
}

/** The API reference is public, so it needs neither HTTPS nor the database. */
function sendReference(options: DashboardOptions, request: FastifyRequest, reply: FastifyReply): void {
  const isSecure = ownAddress(request, options.ctx.outside.publicUrl())?.isSecure === true
  const page = options.dashboard?.get(referenceFile)
  if (page === undefined) {
    const text = plainPage('The API reference is not built', [
      'To build it, run "npm run build:dashboard" and start Posthorn again.',
      'For programs, GET /openapi.json describes the same API.',
    ])
    return void reply.code(404).headers(pageHeaders(noAllowances, { isSecure })).send(text)
  }
  sendWhole(request, reply.headers(pageHeaders({ ...noAllowances, emptyStyles: true }, { isSecure })), page)
}

async function sendPage(
  options: DashboardOptions,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const own = ownAddress(request, options.ctx.outside.publicUrl())
  const isSecure = own?.isSecure === true
  const sendPlain = (status: number, title: string, sentences: string[]): void => {
    const headers = pageHeaders(noAllowances, { isSecure })
    void reply.code(status).headers(headers).send(plainPage(title, sentences))
  }

  // browsers send `Sec-Fetch-Mode` only over a trusted connection, even if a proxy changes `Host`
  if (own === null && request.headers['sec-fetch-mode'] === undefined) {
    return sendPlain(403, 'Posthorn needs HTTPS here', httpsAdvice(options.ctx.outside.publicUrl()))
  }
  const index = options.dashboard?.get(indexPath)
  if (index === undefined) {
    return sendPlain(404, 'The dashboard is not built', [
      'Posthorn is running, and its API is available under /v1.',
      'To build the dashboard, run "npm run build:dashboard" and start Posthorn again.',
    ])
  }
  const allowances = await allowancesOf(options, path, request)
  // never 304, because browsers would keep the old Content-Security-Policy
  sendWhole(request, reply.headers(pageHeaders(allowances, { isSecure })), index)
}

function httpsAdvice(publicUrl: string): string[] {
  const why = 'Over plain HTTP, others on the network can read what you do and sign in as you.'
  return publicUrl.startsWith('https:')
    ? [why, `Open ${publicUrl} instead.`]
    : [why, 'Put a TLS proxy in front of Posthorn and set POSTHORN_PUBLIC_URL to its https address.']
}

/** Only the page of a portal link may be framed. In a portal session, every page may show the portal's logo. */
async function allowancesOf(
  { ctx, operatorToken }: DashboardOptions,
  path: string,
  request: FastifyRequest,
): Promise<PageAllowances> {
  const linkId = parseTypeId('pses', /^\/portal\/([^/]+)$/.exec(path)?.[1] ?? '')
  if (linkId !== null) {
    const page = await unlessAway(findPortalPage(ctx, linkId))
    return { framedBy: page?.allowedOrigins ?? [], imageOrigin: originOf(page?.logoUrl) }
  }
  const token = sessionTokenOf(request)
  if (token === undefined) return noAllowances
  const live = await unlessAway(findSession(ctx, { token, bearer: false }, operatorToken))
  return { framedBy: [], imageOrigin: originOf(live?.portal?.logoUrl) }
}

/** If the database is down, the page still loads and reports it. */
async function unlessAway<Found>(question: Promise<Found>): Promise<Found | undefined> {
  try {
    return await question
  } catch (error) {
    if (refusalFor(error)?.code === 'database_unavailable') return undefined
    throw error
  }
}

function originOf(url: string | null | undefined): string | null {
  return url === null || url === undefined ? null : new URL(url).origin
}
