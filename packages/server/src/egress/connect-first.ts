import { connect, type Socket } from 'node:net'
import type { OpenSockets } from './open-sockets.ts'

const headStartMs = 250

/**
 * Connects to the first of the addresses that answers: each has a head start before the next is tried as well, and
 * none at all once the one before it has failed. Rejects with the last error when none answers.
 */
export async function connectFirst(
  addresses: readonly string[],
  port: number,
  sockets: OpenSockets,
  signal: AbortSignal,
): Promise<Socket> {
  const winner = Promise.withResolvers<Socket>()
  const tried: Socket[] = []
  let failed = 0
  let over = false
  let headStart: NodeJS.Timeout | undefined

  function tryNext(): void {
    clearTimeout(headStart)
    const address = addresses[tried.length]
    if (address === undefined) return
    const socket = connect({ host: address, port, noDelay: true })
    tried.push(socket)
    sockets.add(socket)
    socket.once('connect', () => winner.resolve(socket))
    socket.on('error', error => {
      failed += 1
      if (over) return
      if (failed === addresses.length) winner.reject(error)
      else if (tried.length === failed) tryNext()
    })
    headStart = setTimeout(tryNext, headStartMs)
  }

  const abort = () => winner.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    tryNext()
    const socket = await winner.promise
    discard(tried.filter(other => other !== socket))
    return socket
  } catch (error) {
    discard(tried)
    throw error
  } finally {
    over = true
    clearTimeout(headStart)
    signal.removeEventListener('abort', abort)
  }
}

function discard(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy()
}
