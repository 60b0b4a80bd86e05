import { isIPv6, type Socket } from 'node:net'
import type { ProxyAddress } from '../domain/proxy-url.ts'
import type { Origin } from './origin.ts'
import { proxyCouldNotConnect, proxyDenied, proxyFailed } from './proxy-failure.ts'

const headBytesMax = 8_192
const endOfHead = '\r\n\r\n'

/**
 * Asks an HTTP proxy for a tunnel (CONNECT, RFC 9110 §9.3.6) on a connected socket, and leaves it paused.
 * Rejects with `AttemptFailure`.
 *
 * @param name the name, or a checked address
 */
export async function askHttpProxy(
  socket: Socket,
  proxy: ProxyAddress,
  name: string,
  origin: Origin,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let head = Buffer.alloc(0)
  const read = (bytes: Buffer): void => {
    head = Buffer.concat([head, bytes])
    if (head.includes(endOfHead)) resolve(head)
    else if (head.length > headBytesMax) reject(proxyFailed('its answer is not HTTP'))
  }
  socket.on('data', read)
  socket.write(connectRequest(proxy, name, origin.port))
  refuseUnlessOpen(await promise, origin)
  // nobody reads until the next listener: what comes now belongs to the receiver
  socket.pause().off('data', read)
}

function connectRequest({ login }: ProxyAddress, name: string, port: number): string {
  const authority = `${isIPv6(name) ? `[${name}]` : name}:${port}`
  const basic = login && Buffer.from(`${login.user}:${login.password}`, 'utf8').toString('base64')
  const credentials = basic === null ? '' : `Proxy-Authorization: Basic ${basic}\r\n`
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`
}

/** @throws AttemptFailure unless the proxy opened the tunnel and sent nothing after its answer */
function refuseUnlessOpen(head: Buffer, origin: Origin): void {
  const [, digits] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1')) ?? []
  if (digits === undefined) throw proxyFailed('its answer is not HTTP')
  const status = Number(digits)
  if (status >= 200 && status <= 299) {
    if (head.indexOf(endOfHead) !== head.length - endOfHead.length)
      throw proxyFailed('bytes came before the request')
    return
  }
  // 407 also is what smokescreen answers for a denied address
  if (status === 403 || status === 407) throw proxyDenied(origin)
  throw proxyCouldNotConnect(origin, String(status))
}
