import { type OperationId, type Route, routes } from '@posthorn/contract'
import { expect } from 'vitest'
import type { Canaries } from './canaries.ts'

export interface CallOptions {
  /** `Authorization`, or the headers of a session. */
  as?: string | Record<string, string>
  /** The values of the path parameters. */
  ids?: Record<string, string>
  query?: string
  body?: object | string
  headers?: Record<string, string>
  /** The expected error status instead of success. */
  refused?: number
}

export interface Journey {
  /** Calls an operation, expects success, and stores the whole answer for the search. */
  use(operationId: OperationId, options?: CallOptions): Promise<Answer>
  /** Operations that were not called. */
  unused(): string[]
}

export interface Answer {
  /** The name of this answer in the canaries. */
  where: string
  headers: Headers
  body: Record<string, string>
}

/** Starts a walk through the whole API that stores all answers. */
export function startJourney(url: () => string, canaries: Canaries): Journey {
  const used = new Set<string>()
  let calls = 0
  return {
    unused: () => Object.keys(routes).filter(id => !used.has(id)),
    use: async (operationId, { as, ids = {}, query = '', body, headers = {}, refused } = {}) => {
      const route: Route = routes[operationId]
      const path = Object.entries(ids).reduce((text, [name, id]) => text.replace(`{${name}}`, id), route.path)
      const response = await fetch(url() + path + query, {
        method: route.method,
        headers: {
          ...(typeof as === 'string' ? { authorization: `Bearer ${as}` } : as),
          ...(body !== undefined && { 'content-type': route.body?.mediaTypes[0] ?? 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const where = `answer ${++calls}: ${response.status} ${route.method} ${path}`
      canaries.wrote(where, `${[...response.headers].map(pair => pair.join(': ')).join('\n')}\n\n${text}`)
      expect([where, response.status, refused === undefined ? text : '']).toEqual([
        where,
        refused ?? route.success.status,
        refused === undefined ? text : '',
      ])
      used.add(operationId)
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { where, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : {} }
    },
  }
}
