import type { Server } from 'node:http'

/** Each takes some twenty kilobytes, and a file descriptor. */
export const connectionsMax = 5_000

/**
 * Lets a server have so many connections at once. When one more comes, those that ask for nothing are closed to make
 * room; it is closed itself, and whoever opened it finds room when it comes again.
 */
export function limitConnections(server: Server, max: number): void {
  server.maxConnections = max
  server.on('drop', () => server.closeIdleConnections())
}
