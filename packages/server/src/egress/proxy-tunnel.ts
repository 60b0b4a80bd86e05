import { connect, isIPv6, type Socket } from 'node:net'
import type { ProxyAddress } from '../domain/proxy-url.ts'
import { attemptError, AttemptFailure } from './attempt-failure.ts'
import type { Origin } from './origin.ts'

/** The operator's proxy, through which all requests go. */
export interface EgressProxy extends ProxyAddress {
  /** The proxy gets the name and decides which addresses are allowed. Otherwise it gets an address that we checked. */
  readonly checksAddresses: boolean
}

const headBytesMax = 8_192

/**
 * Connects to a host and port through an HTTP proxy (CONNECT, RFC 9110 §9.3.6).
 * Rejects with `AttemptFailure`, an error of the socket, or the signal's reason.
 *
 * @param host the name, or a checked address
 * @param onSocket called with the socket before it is connected
 */
export async function openTunnel(
  proxy: EgressProxy,
  { host, origin, signal }: { host: string; origin: Origin; signal: AbortSignal },
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, autoSelectFamily: true, noDelay: true })
  onSocket(socket)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let head = Buffer.alloc(0)
  const read = (bytes: Buffer): void => {
    head = Buffer.concat([head, bytes])
    if (head.includes(endOfHead)) resolve(head)
    else if (head.length > headBytesMax) reject(proxyFailed('its answer is not HTTP'))
  }
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort)
  socket.on('data', read)
  socket.once('connect', () => socket.write(connectRequest(proxy, host, origin.port)))
  socket.once('error', error => reject(proxyFailed(error.message, error)))
  socket.once('end', () => reject(proxyFailed('it closed the connection')))
  try {
    signal.throwIfAborted()
    refuseUnlessOpen(await promise, origin)
    // nobody reads until the next listener: what comes now belongs to the receiver
    socket.pause().off('data', read)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function connectRequest({ authorization }: EgressProxy, host: string, port: number): string {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const credentials = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`
}

/** @throws AttemptFailure unless the proxy opened the tunnel and sent nothing after its answer */
function refuseUnlessOpen(head: Buffer, { host, port }: Origin): void {
  const [, digits] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1')) ?? []
  if (digits === undefined) throw proxyFailed('its answer is not HTTP')
  const status = Number(digits)
  if (status >= 200 && status <= 299) {
    if (head.indexOf(endOfHead) !== head.length - endOfHead.length)
      throw proxyFailed('bytes came before the request')
    return
  }
  // 407 also is what smokescreen answers for a denied address
  if (status === 403 || status === 407) throw new AttemptFailure(attemptError('address_refused', { host }))
  const cause = `Our proxy could not connect to it (${status}).`
  throw new AttemptFailure(attemptError('connect_refused', { host, port: String(port) }, cause))
}

const endOfHead = '\r\n\r\n'

/** The operator's fault, not the receiver's. */
function proxyFailed(reason: string, cause?: Error): AttemptFailure {
  return new AttemptFailure(attemptError('unknown', { reason: `our proxy failed: ${reason}` }), { cause })
}
