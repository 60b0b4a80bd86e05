import { routes } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DashboardFiles } from './dashboard-files.ts'
import { ownAddress } from './own-address.ts'
import { noAllowances, pageHeaders } from './page-headers.ts'
import { plainPage } from './plain-page.ts'
import { sendFile, sendWhole } from './send-file.ts'
import { sessionTokenOf } from './session-cookie.ts'

export interface DashboardOptions {
  readonly publicUrl: () => string
  /** Null if the dashboard is not built. */
  readonly dashboard: DashboardFiles | null
  /** The headers of the dashboard page at a path, which say who may frame it and which logo it may show. */
  readonly headersOf: PageHeadersOf
}

export type PageHeadersOf = (
  request: FastifyRequest,
  path: string,
  address: { readonly isSecure: boolean },
) => Promise<Record<string, string>>

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
  const isSecure = ownAddress(request, options.publicUrl())?.isSecure === true
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
  const own = ownAddress(request, options.publicUrl())
  const isSecure = own?.isSecure === true
  const sendPlain = (status: number, title: string, sentences: string[]): void => {
    const headers = pageHeaders(noAllowances, { isSecure })
    void reply.code(status).headers(headers).send(plainPage(title, sentences))
  }

  // browsers send `Sec-Fetch-Mode` only over a trusted connection, even if a proxy changes `Host`
  if (own === null && request.headers['sec-fetch-mode'] === undefined) {
    return sendPlain(403, 'Posthorn needs HTTPS here', httpsAdvice(options.publicUrl()))
  }
  const index = options.dashboard?.get(indexPath)
  if (index === undefined) {
    return sendPlain(404, 'The dashboard is not built', [
      'Posthorn is running, and its API is available under /v1.',
      'To build the dashboard, run "npm run build:dashboard" and start Posthorn again.',
    ])
  }
  const headers = await options.headersOf(request, path, { isSecure })
  // the browser asks for the session while the code loads, in the same way as the code does
  const first = sessionTokenOf(request) === undefined ? {} : { link: sessionPreload }
  // never 304, because browsers would keep the old Content-Security-Policy
  sendWhole(request, reply.headers({ ...headers, ...first }), index)
}

const sessionPreload = `<${routes.getSession.path}>; rel=preload; as=fetch; crossorigin`

function httpsAdvice(publicUrl: string): string[] {
  const why = 'Over plain HTTP, others on the network can read what you do and sign in as you.'
  return publicUrl.startsWith('https:')
    ? [why, `Open ${publicUrl} instead.`]
    : [why, 'Put a TLS proxy in front of Posthorn and set POSTHORN_PUBLIC_URL to its https address.']
}
