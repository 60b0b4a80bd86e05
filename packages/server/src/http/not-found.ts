import { type Route, routes } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { sendProblem } from './problem.ts'

/** Answers what no route takes: 405 where another method would do, else 404. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = request.url.split('?')
  const allowed = allowedMethods(path)
  if (allowed.length === 0) {
    sendProblem(reply, new AppError('not_found', 'No operation has this path. GET /openapi.json lists them.'))
    return
  }
  const allow = allowed.join(', ')
  void reply.header('allow', allow)
  sendProblem(reply, new AppError('method_not_allowed', `This path takes ${allow}.`))
}

const table: readonly { pattern: RegExp; method: Route['method'] }[] = Object.values<Route>(routes).map(
  ({ path, method }) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), method }),
)

function allowedMethods(path: string): string[] {
  const methods = table.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
