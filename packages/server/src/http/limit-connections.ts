import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Each takes some twenty kilobytes, and a file descriptor. */
export const connectionsMax = 5_000

/**
 * Lets a server have so many connections at once. When one more comes, those that ask for nothing are closed to make
 * room; it is closed itself, and whoever opened it finds room when it comes again.
 */
export function limitConnections(server: Server, max: number): void {
  // Node counts one that has not asked yet as busy, until its headers are overdue
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
