import { proxyOperator, session, sessionCreate } from '../resources/session.ts'
import { route, smallJson } from '../route.ts'

const tag = 'Sessions'
const path = '/v1/session'

export const sessionRoutes = {
  createSession: route({
    operationId: 'createSession',
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Sign in to the dashboard',
    description:
      'Opens a session with the rights of an API key or the operator token, and sets its cookie. The dashboard uses this operation. Programs send their credential with each request instead. It works only over HTTPS or on the same machine.',
    tag,
    auth: 'public',
    front: 'credential_in_body',
    body: smallJson(sessionCreate),
    success: { status: 201, description: 'The new session. The response sets its cookie.', schema: session },
    errors: [
      'unauthorized',
      'csrf_failed',
      'https_required',
      'validation_failed',
      'rate_limited',
      'database_unavailable',
    ],
  }),
  getProxyOperator: route({
    operationId: 'getProxyOperator',
    method: 'GET',
    path: '/v1/sessions/proxy',
    summary: 'Get the operator that the proxy names',
    description:
      'Returns who a trusted proxy says is asking, if `POSTHORN_OPERATOR_HEADER` is set and that person may sign in. It also names the OpenID provider, if `POSTHORN_OIDC_ISSUER` is set.',
    tag,
    auth: 'public',
    front: 'caller',
    success: { status: 200, description: 'The operator, or null.', schema: proxyOperator },
  }),
  createProxySession: route({
    operationId: 'createProxySession',
    method: 'POST',
    path: '/v1/sessions/proxy',
    summary: 'Sign in as the operator that the proxy names',
    description:
      'Opens a session for the operator in the header of a trusted proxy, and sets its cookie. The session works only while the proxy sends the same name with each request.',
    tag,
    auth: 'public',
    front: 'caller',
    success: { status: 201, description: 'The new session. The response sets its cookie.', schema: session },
    errors: ['unauthorized', 'csrf_failed', 'https_required', 'validation_failed', 'database_unavailable'],
  }),
  getSession: route({
    operationId: 'getSession',
    method: 'GET',
    path,
    summary: 'Get the current session',
    description: 'Returns who is signed in, their scopes, and the `csrf_token` for requests with the cookie.',
    tag,
    auth: 'session',
    front: 'caller',
    success: { status: 200, description: 'The session.', schema: session },
  }),
  deleteSession: route({
    operationId: 'deleteSession',
    method: 'DELETE',
    path,
    summary: 'Sign out',
    description: 'Ends the current session and clears its cookie.',
    tag,
    auth: 'session',
    front: 'caller',
    success: { status: 204, description: 'The session has ended.' },
    errors: ['csrf_failed'],
  }),
} as const
