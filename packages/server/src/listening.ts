import type { FastifyInstance } from 'fastify'
import { requestsDrainMsMax } from './domain/drain-limits.ts'
import { doLater } from './ends-within.ts'

/** Closes a server after its requests, but closes connections of slow clients after some seconds. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  using _ = doLater(requestsDrainMsMax, () => app.server.closeAllConnections())
  await app.close()
}

/** The URL of a server on this machine. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
