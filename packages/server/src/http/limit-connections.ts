import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Each connection needs about 20 kB and a file descriptor. */
export const connectionsMax = 5_000

/**
 * Limits the open connections of a server. At the limit, the server closes idle connections and the new one. The client
 * can connect again at once.
 */
export function limitConnections(server: Server, max: number): void {
  // Node counts a connection without a request as busy until its headers are late
  const neverAsked = new Set<Socket>()
  server.on('connection', socket => {
    neverAsked.add(socket)
    socket.once('close', () => neverAsked.delete(socket))
  })
  server.on('request', ({ socket }) => neverAsked.delete(socket))
  server.maxConnections = max
  server.on('drop', () => {
    server.closeIdleConnections()
    for (const socket of neverAsked) if (socket.bytesRead === 0) socket.destroy()
  })
}
