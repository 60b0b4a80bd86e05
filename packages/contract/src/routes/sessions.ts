import { session, sessionCreate } from '../resources/session.ts'
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
      'Opens a session with the rights of the credential and sets its cookie. Only over HTTPS, or on the machine itself.',
    tag,
    auth: 'public',
    body: smallJson(sessionCreate),
    success: { status: 201, description: 'The session; its cookie is set.', schema: session },
    errors: [
      'unauthorized',
      'csrf_failed',
      'https_required',
      'validation_failed',
      'rate_limited',
      'database_unavailable',
    ],
  }),
  getSession: route({
    operationId: 'getSession',
    method: 'GET',
    path,
    summary: 'Who is signed in',
    tag,
    auth: 'session',
    success: { status: 200, description: 'The session.', schema: session },
  }),
  deleteSession: route({
    operationId: 'deleteSession',
    method: 'DELETE',
    path,
    summary: 'Sign out',
    tag,
    auth: 'session',
    success: { status: 204, description: 'Ended; its cookie is cleared.' },
    errors: ['csrf_failed'],
  }),
} as const
