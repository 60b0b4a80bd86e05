import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { sendProblem } from './problem.ts'
import type { ServeDashboard } from './serve-dashboard.ts'

/**
 * Answers a request without a route: with the dashboard, with 405 if the path has other methods, or with 404.
 * @param dashboard null in a process that does not serve it
 */
export function answerNotFound(
  served: readonly Route[],
  dashboard: ServeDashboard | null,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const table = served.map(({ path, method }) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }))
  return async (request, reply) => {
    if (await dashboard?.(request, reply)) return
    const [path = ''] = request.url.split('?')
    const allowed = table.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)
    if (allowed.length === 0) {
      sendProblem(
        reply,
        new AppError('not_found', 'No operation has this path. GET /openapi.json lists all operations.'),
      )
      return
    }
    const allow = allowed.join(', ')
    void reply.header('allow', allow)
    sendProblem(reply, new AppError('method_not_allowed', `This path supports only ${allow}.`))
  }
}
