import { connect, type Socket } from 'node:net'
import type { ProxyAddress } from '../domain/proxy-url.ts'
import { askHttpProxy } from './ask-http-proxy.ts'
import { askSocksProxy } from './ask-socks-proxy.ts'
import type { Origin } from './origin.ts'
import { proxyFailed } from './proxy-failure.ts'

/** The operator's proxy, through which all requests go. */
export interface EgressProxy extends ProxyAddress {
  /** The proxy gets the name and decides which addresses are allowed. Otherwise it gets an address that we checked. */
  readonly checksAddresses: boolean
}

/**
 * Connects to a host and port through a proxy. The socket is paused.
 * Rejects with `AttemptFailure` or the signal's reason.
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
  const connected = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<never>()
  const abort = (): void => failed.reject(signal.reason)
  signal.addEventListener('abort', abort)
  socket.once('connect', connected.resolve)
  socket.once('error', error => failed.reject(proxyFailed(error.message, error)))
  socket.once('end', () => failed.reject(proxyFailed('it closed the connection')))
  try {
    signal.throwIfAborted()
    await Promise.race([connected.promise, failed.promise])
    const ask = proxy.protocol === 'http' ? askHttpProxy : askSocksProxy
    await Promise.race([ask(socket, proxy, host, origin), failed.promise])
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
