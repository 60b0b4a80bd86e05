import { connect, isIPv6, type Socket } from 'node:net'
import type { AddressPolicy } from '../domain/address-policy.ts'
import type { AttemptError } from '../domain/attempt-error.ts'
import type { SourceAddresses } from '../domain/source-addresses.ts'
import { attemptError, AttemptFailure } from './attempt-failure.ts'
import { Connection } from './connection.ts'
import { connectTimeout, connectTimeoutMs, hungUp } from './describe-connect-error.ts'
import { type Certificate, noPhases, type Phases } from './egress.ts'
import type { Origin } from './origin.ts'
import { type EgressProxy, openTunnel } from './proxy-tunnel.ts'
import { type HostResolver, vetAddress } from './resolve-host.ts'
import type { TlsStarter } from './start-tls.ts'

/** How long to wait for one address before trying the next one. */
const addressTimeoutMs = 1_000

/** Dependencies that all handshakes share. */
export interface HandshakeTools {
  readonly policy: AddressPolicy
  readonly resolver: HostResolver
  readonly tls: TlsStarter
  /** Null: connects directly. */
  readonly proxy: EgressProxy | null
  /** Null: the system chooses the address from which requests leave. */
  readonly source: SourceAddresses | null
  /** All sockets, from their creation until they are closed. */
  readonly sockets: Set<Socket>
  readonly monotonicMs: () => number
}

/** Opens one connection, and shows the stage, the phases and the certificate so far. */
export class Handshake {
  readonly origin: Origin
  stage: 'dns' | 'connect' | 'tls' = 'dns'
  readonly phases: Phases = noPhases()
  certificate: Certificate | null = null
  readonly #tools: HandshakeTools
  readonly #abort = new AbortController()
  #phaseBeganAtMs: number

  constructor(origin: Origin, tools: HandshakeTools) {
    this.origin = origin
    this.#tools = tools
    this.#phaseBeganAtMs = tools.monotonicMs()
  }

  /** Makes `open` reject, unless it has already ended. */
  cancel(why: AttemptError = notNeeded): void {
    this.#abort.abort(new AttemptFailure(why))
  }

  /**
   * Resolves the host, checks every address, connects, checks the address of the peer, and starts TLS. Through a proxy, it asks
   * for a checked address instead, or leaves the check to the proxy.
   * Rejects with `AttemptFailure` or an error of the socket.
   */
  async open(): Promise<Connection> {
    const { resolver, tls, monotonicMs } = this.#tools
    const { host, secure, isPermittedLoopback } = this.origin
    const proxy = isPermittedLoopback ? null : this.#tools.proxy
    const isUnresolved = isPermittedLoopback || proxy?.checksAddresses === true
    const addresses = isUnresolved ? [host] : await resolver.resolve(host)
    this.#endPhase('dnsMs')
    this.#abort.signal.throwIfAborted()

    const timer = setTimeout(() => {
      const stage = this.stage === 'tls' ? 'tls' : 'connect'
      this.cancel(connectTimeout(stage, host, connectTimeoutMs))
    }, connectTimeoutMs)
    try {
      this.stage = 'connect'
      let connection: Connection | null = null
      const receive = (bytes: Buffer): void => connection?.receive(bytes)
      const socket =
        proxy === null
          ? await this.#connectDirectly(addresses, receive)
          : await this.#connectToFirst(addresses, address => this.#connectThrough(proxy, address))
      this.#endPhase('connectMs')
      if (!secure) {
        connection = new Connection(this, socket, monotonicMs())
        if (proxy !== null) socket.on('data', receive).resume()
        return connection
      }

      this.stage = 'tls'
      const secured = await tls.start(socket, this.origin, this.#abort.signal, certificate => {
        this.certificate = certificate
      })
      this.#endPhase('tlsMs')
      const securedConnection = new Connection(this, secured, monotonicMs())
      secured.on('data', bytes => securedConnection.receive(bytes))
      return securedConnection
    } finally {
      clearTimeout(timer)
    }
  }

  async #connectDirectly(addresses: readonly string[], receive: (bytes: Buffer) => void): Promise<Socket> {
    const socket = await this.#connectToFirst(this.#reachable(addresses), (address, isLast) =>
      this.#connect(address, receive, isLast),
    )
    refuseWrongPeer(socket, this.origin, this.#tools.policy)
    return socket
  }

  /** Leaves out the addresses of a family that has no source address. */
  #reachable(addresses: readonly string[]): readonly string[] {
    const { host, port } = this.origin
    const source = this.#source()
    const reachable = addresses.filter(address => source === null || source[familyOf(address)] !== null)
    if (reachable.length > 0) return reachable
    const [used, unused] = source?.[4] === null ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6']
    const cause = `It has no ${used} address, and we do not send over ${unused}.`
    throw new AttemptFailure(attemptError('connect_refused', { host, port: String(port) }, cause))
  }

  #source(): SourceAddresses | null {
    return this.origin.isPermittedLoopback ? null : this.#tools.source
  }

  /** Tries one address after the other. The first failure counts. */
  async #connectToFirst(
    addresses: readonly string[],
    connectTo: (address: string, isLast: boolean) => Promise<Socket>,
  ): Promise<Socket> {
    let failure: unknown
    for (const [index, address] of addresses.entries()) {
      try {
        return await connectTo(address, index === addresses.length - 1)
      } catch (error) {
        this.#abort.signal.throwIfAborted()
        failure ??= error
      }
    }
    throw failure
  }

  async #connect(address: string, receive: (bytes: Buffer) => void, isLast: boolean): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { signal } = this.#abort
    const source = this.#source()?.[familyOf(address)] ?? null
    const socket = connect({
      host: address,
      port: this.origin.port,
      noDelay: true,
      ...(source !== null && { localAddress: source }),
      ...(!this.origin.secure && {
        onread: {
          buffer: readBuffer,
          callback: length => {
            receive(readBuffer.subarray(0, length))
            return true
          },
        },
      }),
    })
    this.#watch(socket)
    socket.once('connect', resolve).on('error', reject)
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort)
    const timer = isLast ? undefined : setTimeout(reject, addressTimeoutMs, timedOut())
    try {
      await promise
      return socket
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  async #connectThrough(proxy: EgressProxy, host: string): Promise<Socket> {
    const { signal } = this.#abort
    return await openTunnel(proxy, { host, origin: this.origin, signal }, socket => this.#watch(socket))
  }

  #watch(socket: Socket): void {
    this.#tools.sockets.add(socket)
    socket.once('close', () => this.#tools.sockets.delete(socket))
  }

  #endPhase(phase: keyof Phases): void {
    const nowMs = this.#tools.monotonicMs()
    this.phases[phase] = nowMs - this.#phaseBeganAtMs
    this.#phaseBeganAtMs = nowMs
  }
}

const notNeeded = attemptError('unknown', { reason: 'no attempt needs the connection' })

function familyOf(address: string): 4 | 6 {
  return isIPv6(address) ? 6 : 4
}

/** As Node says it. */
function timedOut(): Error {
  return Object.assign(new Error('connecting took too long'), { code: 'ETIMEDOUT' })
}

/**
 * The last check: uses the address that the socket is really connected to.
 * @throws AttemptFailure, and destroys the socket
 */
function refuseWrongPeer(socket: Socket, { host, isPermittedLoopback }: Origin, policy: AddressPolicy): void {
  const peer = socket.remoteAddress
  try {
    if (peer === undefined) throw new AttemptFailure(hungUp('It did so as soon as the connection was open.'))
    if (!isPermittedLoopback) vetAddress(policy, host, peer)
    else if (peer !== host) throw new AttemptFailure(attemptError('address_refused', { host }))
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** All sockets without TLS share this buffer, which is faster than streams: each passes its bytes on before the next reads. */
const readBuffer = Buffer.allocUnsafeSlow(65_536)
