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
      "A link that opens the dashboard of one account without a sign-in, once: to be followed, or shown in a frame of the provider's own page.",
    tag,
    auth: 'operator',
    body: json(portalSessionCreate),
    success: { status: 201, description: 'The portal session, with `url`.', schema: portalSessionCreated },
    errors: ['not_found'],
  }),
  listPortalSessions: route({
    operationId: 'listPortalSessions',
    method: 'GET',
    path: '/v1/portal-sessions',
    summary: 'List portal sessions',
    description: 'Those that ended are listed for another 30 days.',
    tag,
    auth: 'operator',
    query: portalSessionQuery,
    success: { status: 200, description: 'A page of portal sessions.', schema: portalSessionPage },
  }),
  revokePortalSession: route({
    operationId: 'revokePortalSession',
    method: 'DELETE',
    path: '/v1/portal-sessions/{id}',
    summary: 'Revoke a portal session',
    description: 'Ends the link and the session that it opened.',
    tag,
    auth: 'operator',
    params,
    success: { status: 204, description: 'Revoked: no request with it is accepted any more.' },
  }),
  exchangePortalSession: route({
    operationId: 'exchangePortalSession',
    method: 'POST',
    path: '/v1/portal-sessions/{id}/exchange',
    summary: 'Open a portal link',
    description: 'What the page behind the link does. A link can be exchanged once.',
    tag,
    auth: 'public',
    params,
    body: smallJson(portalExchange),
    success: {
      status: 200,
      description: 'The session, with its `access_token` when embedded, else with its cookie.',
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
