import {
  exchangedSession,
  portalExchange,
  portalSessionCreate,
  portalSessionCreated,
  portalSessionPage,
  portalSessionQuery,
} from '../resources/portal-session.ts'
import { json, route, smallJson } from '../route.ts'

const tag = 'Portal sessions'
const params = { id: 'pses' } as const

export const portalSessionRoutes = {
  createPortalSession: route({
    operationId: 'createPortalSession',
    method: 'POST',
    path: '/v1/portal-sessions',
    summary: 'Create a portal link',
    description:
      'Creates a link that opens the dashboard of one account without an API key. The link works once. Send it to your customer, or open it in a frame on your own page. Posthorn shows `url` only in this response.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'account_in_body',
    body: json(portalSessionCreate),
    success: { status: 201, description: 'The portal session, with `url`.', schema: portalSessionCreated },
    errors: ['not_found'],
  }),
  listPortalSessions: route({
    operationId: 'listPortalSessions',
    method: 'GET',
    path: '/v1/portal-sessions',
    summary: 'List portal sessions',
    description: 'Returns portal sessions, newest first. Ended sessions stay in the list for 30 days.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'account_in_query',
    query: portalSessionQuery,
    success: { status: 200, description: 'One page of portal sessions.', schema: portalSessionPage },
  }),
  revokePortalSession: route({
    operationId: 'revokePortalSession',
    method: 'DELETE',
    path: '/v1/portal-sessions/{id}',
    summary: 'Revoke a portal session',
    description:
      'Revokes a portal link and ends the session that it opened. After this request returns, Posthorn refuses all requests of the session.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'code_in_id',
    params,
    success: { status: 204, description: 'The portal session is revoked.' },
  }),
  exchangePortalSession: route({
    operationId: 'exchangePortalSession',
    method: 'POST',
    path: '/v1/portal-sessions/{id}/exchange',
    summary: 'Open a portal link',
    description:
      'Exchanges the token of a portal link for a session. The page behind the link does this, and it works once. In a frame (`embedded`), use `access_token` as the bearer token. Otherwise, the response sets the session cookie.',
    tag,
    auth: 'public',
    front: 'code_in_id',
    params,
    body: smallJson(portalExchange),
    success: {
      status: 200,
      description: 'The session.',
      schema: exchangedSession,
    },
    errors: [
      'csrf_failed',
      'https_required',
      'portal_link_ended',
      'validation_failed',
      'rate_limited',
      'database_unavailable',
    ],
  }),
} as const
