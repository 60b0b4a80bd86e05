import type { Socket } from 'node:net'
import type { AddressPolicy } from '../domain/address-policy.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { connectFirst } from './connect-first.ts'
import { describeConnectError } from './describe-connect-error.ts'
import type { Phases } from './egress.ts'
import type { OpenSockets } from './open-sockets.ts'
import type { Origin } from './origin.ts'
import type { HostResolver } from './resolve-host.ts'
import type { TlsStarter } from './start-tls.ts'

const connectTimeoutMs = 5_000

/** What opening a socket needs; the same for all. */
export interface SocketSources {
  readonly policy: AddressPolicy
  readonly resolver: HostResolver
  readonly tls: TlsStarter
  readonly sockets: OpenSockets
  readonly monotonicMs: () => number
}

export type Stage = 'dns' | 'connect' | 'tls' | 'send' | 'answer'

/** Where an attempt is, for the words in which its deadline is reported. */
export interface Progress {
  stage: Stage
  readonly phases: Phases
}

/**
 * Opens a socket to an origin: resolve, check every address, connect to a checked one, check where it led, TLS.
 * Rejects with `AttemptFailure`, or with the reason with which `opening` was aborted.
 */
export async function openSocket(
  sources: SocketSources,
  origin: Origin,
  progress: Progress,
  opening: AbortController,
): Promise<Socket> {
  const { monotonicMs, sockets, policy } = sources
  let phaseStart = monotonicMs()
  const lap = () => {
    const now = monotonicMs()
    const ms = now - phaseStart
    phaseStart = now
    return ms
  }

  progress.stage = 'dns'
  const addresses = await sources.resolver.resolve(origin.host)
  progress.phases.dnsMs = lap()
  opening.signal.throwIfAborted()

  progress.stage = 'connect'
  const limit = setTimeout(
    () => opening.abort(connectTimeout(progress.stage, connectTimeoutMs)),
    connectTimeoutMs,
  )
  try {
    const socket = await connectFirst(addresses, origin.port, sockets, opening.signal).catch(
      (error: unknown) => {
        throw describeConnectError(error, origin)
      },
    )
    refuseWrongPeer(socket, policy)
    progress.phases.connectMs = lap()
    if (!origin.secure) return socket

    progress.stage = 'tls'
    const secured = await sources.tls.start(socket, origin, opening.signal)
    progress.phases.tlsMs = lap()
    return secured
  } finally {
    clearTimeout(limit)
  }
}

/** The last guard: asks the socket itself where it is connected, whatever was asked for. */
function refuseWrongPeer(socket: Socket, policy: AddressPolicy): void {
  const peer = socket.remoteAddress
  if (peer !== undefined && policy.check(peer).allowed) return
  socket.destroy()
  throw peer === undefined
    ? new AttemptFailure('connection_reset', 'The server closed the connection as soon as it was open.')
    : new AttemptFailure('address_refused', 'The connection led to an address that deliveries may not go to.')
}

/** What to say when the time for connecting is over. */
export function connectTimeout(stage: Stage, afterMs: number): AttemptFailure {
  const seconds = afterMs / 1000
  return new AttemptFailure(
    'connect_timeout',
    stage === 'tls'
      ? `The server accepted the connection but did not finish the TLS handshake within ${seconds} seconds.`
      : `No connection within ${seconds} seconds. Check that the server runs and that its firewall lets requests in.`,
  )
}
