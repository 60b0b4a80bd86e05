import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Each connection needs about 20 kB and a file descriptor. */
export const connectionsMax = 5_000

/**
 * Limits the open connections of a server. At the limit, the server closes the new connection and all idle ones. If none is
 * idle, it closes the one that has waited longest for the rest of a request's headers. The client can connect again at once.
 */
export function limitConnections(server: Server, max: number): void {
  // connections without a request in progress, longest first; Node counts them as busy until headers are late
  const waiting = new Set<Socket>()
  server.on('connection', socket => {
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    waiting.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) waiting.add(socket)
    })
  })
  server.maxConnections = max
  server.on('drop', () => {
    server.closeIdleConnections()
    for (const socket of waiting) if (socket.bytesRead === 0) socket.destroy()
    const [longest] = waiting
    if (longest !== undefined && ![...waiting].some(socket => socket.destroyed)) longest.destroy()
  })
}
