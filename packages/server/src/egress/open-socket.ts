import type { Socket } from 'node:net'
import type { AddressPolicy } from '../domain/address-policy.ts'
import { addressRefused } from './address-refused.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { connectFirst } from './connect-first.ts'
import { connectTimeout, connectTimeoutMs } from './connect-timeout.ts'
import { describeConnectError } from './describe-connect-error.ts'
import type { Listener } from './ear.ts'
import type { Certificate, Phases } from './egress.ts'
import { hungUp } from './hung-up.ts'
import type { OpenSockets } from './open-sockets.ts'
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

export type Stage = 'dns' | 'connect' | 'tls' | 'send' | 'answer'

/** Where an attempt is, and what it has learnt on its way. */
export interface Progress {
  /** For the words in which its deadline is reported. */
  stage: Stage
  readonly phases: Phases
  certificate: Certificate | null
}

/** A socket to an origin, and how to hear what comes over it. */
export interface OpenedSocket {
  socket: Socket
  listen: (listener: Listener) => void
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
): Promise<OpenedSocket> {
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
    () =>
      opening.abort(
        connectTimeout(progress.stage === 'tls' ? 'tls' : 'connect', origin.host, connectTimeoutMs),
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
    progress.phases.connectMs = lap()
    if (ear !== null) return { socket, listen: listener => ear.listen(listener) }

    progress.stage = 'tls'
    const secured = await sources.tls.start(socket, origin, opening.signal, certificate => {
      progress.certificate = certificate
    })
    progress.phases.tlsMs = lap()
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
