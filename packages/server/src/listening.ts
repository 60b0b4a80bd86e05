import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { requestsDrainMsMax } from './domain/drain-limits.ts'
import { doLater } from './ends-within.ts'

/** Closes a server after its requests, but closes connections of slow clients after some seconds. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  using _ = doLater(requestsDrainMsMax, () => app.server.closeAllConnections())
  await app.close()
}

/** The URL of a server on this machine. One that listens on all addresses gets a name that a browser opens. */
export function listeningUrl(host: string, port: number): string {
  if (isIP(host) !== 0 && /^[0:.]+$/.test(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
