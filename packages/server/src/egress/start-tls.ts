import { isIP, type Socket } from 'node:net'
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { AttemptFailure } from './attempt-failure.ts'
import { describeTlsError } from './describe-tls-error.ts'
import type { Certificate } from './egress.ts'
import type { Origin } from './origin.ts'

const contextOptions = { minVersion: 'TLSv1.2' } as const

const sessionsMax = 1_000
const sessionLifetimeMs = 600_000

/** Ignores the common name: only the alternative names count (RFC 9525 §2). */
function checkNames(host: string, certificate: PeerCertificate): Error | undefined {
  const { CN: _, ...subject } = certificate.subject
  return checkServerIdentity(host, { ...certificate, subject: subject as PeerCertificate['subject'] })
}

/** A session that can be resumed, with its certificate, which a resumed connection does not show. */
interface CachedSession {
  session: Buffer
  certificate: Certificate | null
  untilMs: number
}

/**
 * Starts TLS on connected sockets. Certificates are always verified, against Node's roots and `NODE_EXTRA_CA_CERTS`.
 * Resuming a session does not verify the certificate again, so a session expires a fixed time after the verification.
 */
export class TlsStarter {
  readonly #monotonicMs: () => number
  readonly #sessions = new Map<Origin, CachedSession>()
  // shared, because creating a context reads the root certificates
  #context: SecureContext | null = null
  /** Of origins with a client certificate. */
  readonly #ownContexts = new WeakMap<Origin, SecureContext>()

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /**
   * Rejects with `AttemptFailure` or the signal's reason.
   * @param onCertificate called with the server's certificate before it is verified
   */
  async start(
    socket: Socket,
    origin: Origin,
    signal: AbortSignal,
    onCertificate: (certificate: Certificate) => void,
  ): Promise<TLSSocket> {
    const known = this.#sessions.get(origin)
    const cached = known !== undefined && this.#monotonicMs() < known.untilMs ? known : undefined
    const secured = connect({
      socket,
      host: origin.host,
      secureContext: this.#contextOf(origin, socket),
      rejectUnauthorized: true,
      checkServerIdentity: checkNames,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(origin.host) === 0 && { servername: origin.host }),
      ...(cached !== undefined && { session: cached.session }),
    })
    const done = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => done.reject(signal.reason))
    // before the verification, because a refused socket no longer has its certificate
    let shown: PeerCertificate | undefined
    let certificate: Certificate | null = null
    let untilMs = this.#monotonicMs() + sessionLifetimeMs
    secured.prependOnceListener('secure', () => {
      shown = secured.getPeerCertificate()
      if (cached !== undefined && secured.isSessionReused()) ({ certificate, untilMs } = cached)
      else certificate = certificateFacts(shown)
      if (certificate !== null) onCertificate(certificate)
    })
    secured.once('secureConnect', done.resolve)
    secured.on('error', error => {
      // null once the socket is destroyed, although the types do not say so
      const sent: PeerCertificate | null = secured.getPeerCertificate()
      const described = describeTlsError(error, origin, shown ?? sent ?? undefined)
      done.reject(new AttemptFailure(described, { cause: error }))
    })
    secured.on('session', session => this.#cacheSession(origin, { session, certificate, untilMs }))
    try {
      signal.throwIfAborted()
      await done.promise
      return secured
    } catch (error) {
      this.#sessions.delete(origin)
      secured.destroy()
      socket.destroy()
      throw error
    }
  }

  /** Closes the socket if OpenSSL refuses the client certificate. */
  #contextOf(origin: Origin, socket: Socket): SecureContext {
    const { clientCertificate } = origin
    if (clientCertificate === null) return (this.#context ??= createSecureContext(contextOptions))
    const known = this.#ownContexts.get(origin)
    if (known !== undefined) return known
    const { certificate: cert, privateKey: key } = clientCertificate
    try {
      const context = createSecureContext({ ...contextOptions, cert, key })
      this.#ownContexts.set(origin, context)
      return context
    } catch (error) {
      socket.destroy()
      throw error
    }
  }

  #cacheSession(origin: Origin, cached: CachedSession): void {
    if (this.#sessions.size >= sessionsMax) this.#sessions.clear()
    this.#sessions.set(origin, cached)
  }
}

const issuerLengthMax = 200

/** The facts about a certificate that we store; null if there is none. */
function certificateFacts({ valid_to, issuer }: Partial<PeerCertificate>): Certificate | null {
  const validUntilMs = valid_to === undefined ? Number.NaN : Date.parse(valid_to)
  if (Number.isNaN(validUntilMs)) return null
  // Node returns an array if a field occurs several times, although the types do not say so
  const name: unknown = [issuer?.O, issuer?.CN].flat().find(one => one !== undefined && one !== '')
  return { validUntilMs, issuer: typeof name === 'string' ? name.slice(0, issuerLengthMax) : null }
}
