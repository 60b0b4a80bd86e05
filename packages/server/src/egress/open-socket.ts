import type { Socket } from 'node:net'
import type { AddressPolicy } from '../domain/address-policy.ts'
import { addressRefused } from './address-refused.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { connectFirst } from './connect-first.ts'
import { connectTimeout, connectTimeoutMs } from './connect-timeout.ts'
import { describeConnectError } from './describe-connect-error.ts'
import type { Listener } from './ear.ts'
import { hungUp } from './hung-up.ts'
import type { OpenSockets } from './open-sockets.ts'
import type { Opening } from './opening.ts'
import type { Origin } from './origin.ts'
import type { HostResolver } from './resolve-host.ts'
import type { TlsStarter } from './start-tls.ts'

/** What opening a socket needs; the same for all. */
export interface SocketSources {
  readonly policy: AddressPolicy
  readonly resolver: HostResolver
  readonly tls: TlsStarter
  readonly sockets: OpenSockets
  readonly monotonicMs: () => number
}

/** A socket to an origin, and how to hear what comes over it. */
export interface OpenedSocket {
  socket: Socket
  listen: (listener: Listener) => void
}

/**
 * Opens a socket to an origin: resolve, check every address, connect to a checked one, check where it led, TLS.
 * Rejects with `AttemptFailure`; with the reason for which `opening` was given up, if it was.
 */
export async function openSocket(
  sources: SocketSources,
  origin: Origin,
  opening: Opening,
): Promise<OpenedSocket> {
  const { monotonicMs, sockets, policy } = sources
  let phaseStart = monotonicMs()
  const lap = () => {
    const now = monotonicMs()
    const ms = now - phaseStart
    phaseStart = now
    return ms
  }

  opening.stage = 'dns'
  const addresses = await sources.resolver.resolve(origin.host)
  opening.phases.dnsMs = lap()
  opening.signal.throwIfAborted()

  opening.stage = 'connect'
  const limit = setTimeout(
    () =>
      opening.giveUp(
        connectTimeout(opening.stage === 'tls' ? 'tls' : 'connect', origin.host, connectTimeoutMs),
      ),
    connectTimeoutMs,
  )
  try {
    const { socket, ear } = await connectFirst(addresses, origin, sockets, opening.signal).catch(
      (error: unknown) => {
        throw describeConnectError(error, origin)
      },
    )
    refuseWrongPeer(socket, origin.host, policy)
    opening.phases.connectMs = lap()
    if (ear !== null) return { socket, listen: listener => ear.listen(listener) }

    opening.stage = 'tls'
    const secured = await sources.tls.start(socket, origin, opening.signal, certificate => {
      opening.certificate = certificate
    })
    opening.phases.tlsMs = lap()
    return { socket: secured, listen: listener => secured.on('data', listener) }
  } finally {
    clearTimeout(limit)
  }
}

/** The last guard: asks the socket itself where it is connected, whatever was asked for. */
function refuseWrongPeer(socket: Socket, host: string, policy: AddressPolicy): void {
  const peer = socket.remoteAddress
  if (peer !== undefined && policy.check(peer).allowed) return
  socket.destroy()
  const { code, message } =
    peer === undefined ? hungUp('It did so as soon as the connection was open.') : addressRefused(host)
  throw new AttemptFailure(code, message)
}
