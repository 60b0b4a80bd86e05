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
    const known = this.#sessions.get(origin.href)
    const kept = known !== undefined && this.#monotonicMs() < known.untilMs ? known : undefined
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
    signal.addEventListener('abort', () => done.reject(signal.reason))
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
      const described = describeTlsError(error, origin.host, shown ?? sent ?? undefined)
      done.reject(new AttemptFailure(described, { cause: error }))
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
    }
  }

  #keepSession(key: string, kept: KeptSession): void {
    if (this.#sessions.size >= sessionsMax) this.#sessions.clear()
    this.#sessions.set(key, kept)
  }
}

const issuerLengthMax = 200

/** What of a server's certificate is told; null when it showed none. */
function certificateFacts({ valid_to, issuer }: Partial<PeerCertificate>): Certificate | null {
  const validUntilMs = valid_to === undefined ? Number.NaN : Date.parse(valid_to)
  if (Number.isNaN(validUntilMs)) return null
  // a name can stand in it several times: then Node makes a list of it, whatever its types say
  const name: unknown = [issuer?.O, issuer?.CN].flat().find(one => one !== undefined && one !== '')
  return { validUntilMs, issuer: typeof name === 'string' ? name.slice(0, issuerLengthMax) : null }
}
