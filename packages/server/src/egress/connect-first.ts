import { connect, type Socket } from 'node:net'
import { Ear } from './ear.ts'
import type { OpenSockets } from './open-sockets.ts'
import type { Origin } from './origin.ts'

const headStartMs = 250

/** A socket, and what hears it: nothing yet where TLS is to be put on it. */
export interface Connected {
  socket: Socket
  ear: Ear | null
}

/**
 * Connects to the first of the addresses that answers: each has a head start before the next is tried as well, and
 * none at all once the one before it has failed. Rejects with the last error when none answers.
 */
export async function connectFirst(
  addresses: readonly string[],
  { port, secure }: Pick<Origin, 'port' | 'secure'>,
  sockets: OpenSockets,
  signal: AbortSignal,
): Promise<Connected> {
  const winner = Promise.withResolvers<Connected>()
  const tried: Socket[] = []
  let failed = 0
  let over = false
  let headStart: NodeJS.Timeout | undefined

  function tryNext(): void {
    clearTimeout(headStart)
    const address = addresses[tried.length]
    if (address === undefined) return
    const ear = secure ? null : new Ear()
    const socket = connect({
      host: address,
      port,
      noDelay: true,
      ...(ear !== null && { onread: ear.onread }),
    })
    tried.push(socket)
    sockets.add(socket)
    socket.once('connect', () => winner.resolve({ socket, ear }))
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
    const connected = await winner.promise
    discard(tried.filter(other => other !== connected.socket))
    return connected
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
