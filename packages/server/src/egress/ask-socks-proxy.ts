import type { Socket } from 'node:net'
import { SocksClient } from 'socks'
import type { ProxyAddress } from '../domain/proxy-url.ts'
import type { AttemptFailure } from './attempt-failure.ts'
import { connectTimeoutMs } from './describe-connect-error.ts'
import type { Origin } from './origin.ts'
import { proxyCouldNotConnect, proxyDenied, proxyFailed } from './proxy-failure.ts'

/**
 * Asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929) on a connected socket. The socket is paused until the next turn of
 * the event loop. Rejects with `AttemptFailure`.
 *
 * @param name the name, or a checked address
 */
export async function askSocksProxy(
  socket: Socket,
  { host, port, login }: ProxyAddress,
  name: string,
  origin: Origin,
): Promise<void> {
  try {
    await SocksClient.createConnection({
      command: 'connect',
      proxy: { type: 5, host, port, ...(login !== null && { userId: login.user, password: login.password }) },
      destination: { host: name, port: origin.port },
      existing_socket: socket,
      timeout: connectTimeoutMs,
    })
  } catch (error) {
    throw describeRefusal(error instanceof Error ? error.message : String(error), origin)
  }
}

/** The replies of RFC 1928 §6 that are about the receiver, as the library names them. */
const repliesAboutReceiver: Readonly<Record<string, string>> = {
  Failure: 'general failure',
  NetworkUnreachable: 'network unreachable',
  HostUnreachable: 'host unreachable',
  ConnectionRefused: 'connection refused',
  TTLExpired: 'TTL expired',
  AddressNotSupported: 'address type not supported',
}

/** The library tells the reasons apart by its messages only. */
function describeRefusal(message: string, origin: Origin): AttemptFailure {
  const [, reply = ''] = /^Socks5 proxy rejected connection - (\w+)$/.exec(message) ?? []
  if (reply === 'NotAllowed') return proxyDenied(origin)
  const answer = repliesAboutReceiver[reply]
  if (answer !== undefined) return proxyCouldNotConnect(origin, answer)
  if (/authentication/i.test(message)) return proxyFailed('it did not accept the user and password')
  return proxyFailed('its answer is not SOCKS5')
}
