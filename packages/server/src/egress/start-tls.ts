import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { certificateFacts } from './certificate-facts.ts'
import { describeTlsError } from './describe-tls-error.ts'
import type { Certificate } from './egress.ts'
import type { Origin } from './origin.ts'

const sessionsMax = 1_000
const sessionKeptMs = 600_000

/** A common name is no DNS name: only the alternative names say what a certificate is for (RFC 9525 §2). */
function checkNames(host: string, certificate: PeerCertificate): Error | undefined {
  const { CN: _, ...subject } = certificate.subject
  return checkServerIdentity(host, { ...certificate, subject: subject as PeerCertificate['subject'] })
}

/** A session that can be resumed, with what a resumed one does not show any more. */
interface KeptSession {
  session: Buffer
  certificate: Certificate | null
  untilMs: number
}

/**
 * Puts TLS on connected sockets. Certificates are always verified, against Node's roots and `NODE_EXTRA_CA_CERTS`;
 * there is no switch that turns it off. A session is kept for a short time only, because a resumed one is not
 * verified anew: however often it is resumed, that time is counted from the verdict on its certificate.
 */
export class TlsStarter {
  readonly #monotonicMs: () => number
  readonly #sessions = new Map<string, KeptSession>()
  // one for all: making it reads the roots
  #context: SecureContext | null = null

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /**
   * Rejects with `AttemptFailure`, or with the signal's reason.
   * @param onCertificate called with what the server showed, now or when the session began, before the verdict falls
   */
  async start(
    socket: Socket,
    origin: Origin,
    signal: AbortSignal,
    onCertificate: (certificate: Certificate) => void,
  ): Promise<TLSSocket> {
    this.#context ??= createSecureContext({ minVersion: 'TLSv1.2' })
    const kept = this.#session(origin.href)
    const secured = connect({
      socket,
      host: origin.host,
      secureContext: this.#context,
      rejectUnauthorized: true,
      checkServerIdentity: checkNames,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(origin.host) === 0 && { servername: origin.host }),
      ...(kept !== undefined && { session: kept.session }),
    })
    const done = Promise.withResolvers<void>()
    const abort = () => done.reject(signal.reason)
    signal.addEventListener('abort', abort)
    // before the verdict falls, because a socket that was refused no longer shows its certificate
    let shown: PeerCertificate | undefined
    let certificate: Certificate | null = null
    let untilMs = this.#monotonicMs() + sessionKeptMs
    secured.prependOnceListener('secure', () => {
      shown = secured.getPeerCertificate()
      if (kept !== undefined && secured.isSessionReused()) ({ certificate, untilMs } = kept)
      else certificate = certificateFacts(shown)
      if (certificate !== null) onCertificate(certificate)
    })
    secured.once('secureConnect', done.resolve)
    secured.on('error', error => {
      // null once the socket is destroyed, whatever the types say
      const sent: PeerCertificate | null = secured.getPeerCertificate()
      done.reject(describeTlsError(error, origin.host, shown ?? sent ?? undefined))
    })
    secured.on('session', session => this.#keepSession(origin.href, { session, certificate, untilMs }))
    try {
      signal.throwIfAborted()
      await done.promise
      return secured
    } catch (error) {
      this.#sessions.delete(origin.href)
      secured.destroy()
      socket.destroy()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  #session(key: string): KeptSession | undefined {
    const kept = this.#sessions.get(key)
    return kept !== undefined && this.#monotonicMs() < kept.untilMs ? kept : undefined
  }

  #keepSession(key: string, kept: KeptSession): void {
    if (this.#sessions.size >= sessionsMax) this.#sessions.clear()
    this.#sessions.set(key, kept)
  }
}
