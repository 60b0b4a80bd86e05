import { pipeline, type Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { openApiDocument, type Route, routes, type System, type SystemHealth } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { type DashboardFile, toFile } from './dashboard-files.ts'
import { sendProblem } from './problem.ts'
import { readInput } from './read-request.ts'
import { refuseShard } from './refuse-shard.ts'
import { sendFile } from './send-file.ts'

type Readiness = { ready: true } | { ready: false; reason: string }

export interface ServiceRoutesOptions {
  readonly ctx: Ctx
  readonly version: string
  readonly readiness: () => Promise<Readiness>
  /** Metrics in the Prometheus text format. */
  readonly metricsText: () => Promise<string>
  readonly system: () => Promise<System>
  readonly systemHealth: () => Promise<SystemHealth>
  /** A tar archive of the embedded database, or null with a PostgreSQL server. */
  readonly dump: (() => Promise<Readable>) | null
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Serves health, readiness, metrics, backup, system information and the OpenAPI document. */
export function serviceHandlers(options: ServiceRoutesOptions): Record<string, Handler> {
  const { ctx, version, readiness, metricsText, dump } = options
  let openApi: DashboardFile | undefined

  return {
    [routes.getHealth.operationId]: async () => await Promise.resolve({ status: 'ok' }),

    [routes.getReadiness.operationId]: async (_request, reply) => {
      const found = await readiness()
      if (found.ready) return { status: 'ready' }
      sendProblem(reply, new AppError('database_unavailable', `Not ready: ${found.reason}`))
      return reply
    },

    [routes.getMetrics.operationId]: async (_request, reply) =>
      await reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metricsText()),

    [routes.getBackup.operationId]: async (request, reply) => {
      refuseShard(readInput(routes.getBackup, request).query as { shard?: number })
      if (dump === null) {
        throw new AppError(
          'not_found',
          'The data is on a PostgreSQL server. Back it up with the tools of PostgreSQL.',
        )
      }
      // if either stream ends early, the other does too, and the answer stays visibly incomplete
      const archive = pipeline(await dump(), createGzip({ level: 1 }), () => {})
      return await reply.type('application/gzip').header('cache-control', 'no-store').send(archive)
    },

    [routes.getSystem.operationId]: async (request, reply) => {
      refuseShard(readInput(routes.getSystem, request).query as { shard?: number })
      return await reply.header('cache-control', 'no-store').send(await options.system())
    },

    [routes.getSystemHealth.operationId]: async (request, reply) => {
      readInput(routes.getSystemHealth, request)
      return await reply.header('cache-control', 'no-store').send(await options.systemHealth())
    },

    [routes.getOpenApi.operationId]: async (request, reply) => {
      const table: Readonly<Record<string, Route>> = routes
      // all connections share a Buffer, while each would get its own copy of a string
      const text = () =>
        JSON.stringify(openApiDocument(table, { version, serverUrl: ctx.outside.publicUrl() }))
      openApi ??= toFile('/openapi.json', Buffer.from(text()))
      sendFile(request, reply, openApi)
      return await reply
    },
  }
}
