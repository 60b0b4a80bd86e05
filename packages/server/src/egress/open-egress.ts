import { attemptMessage } from '@posthorn/contract/plain'
import type { AttemptError } from '../domain/attempt-error.ts'
import { createUrlPolicy, type UrlPolicy } from '../domain/url-policy.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { Attempt, type AttemptHost } from './attempt.ts'
import type { Waiter } from './connection-line.ts'
import { Connection } from './connection.ts'
import { DeadlineQueue } from './deadline-queue.ts'
import {
  type Egress,
  type EgressOptions,
  type Exchange,
  type HeadRequest,
  noPhases,
  type PostRequest,
} from './egress.ts'
import { IdleConnections } from './idle-connections.ts'
import { openSocket, type SocketSources } from './open-socket.ts'
import { OpenSockets } from './open-sockets.ts'
import type { Opening } from './opening.ts'
import { HostResolver } from './resolve-host.ts'
import { TlsStarter } from './start-tls.ts'
import type { OutgoingRequest } from './request-bytes.ts'
import { Targets, type Target } from './targets.ts'

const answerReadMs = 2_000
/** How long the first connections to an origin have to stay quiet after an answer before one of them is reused. */
const quietMs = 100

/**
 * Opens the guarded HTTP client. Nothing is connected until the first post.
 *
 * @example
 * await using egress = openEgress({ allowCidrs: [], allowHttp: false, ports: [443], attemptTimeoutMs: 15_000, monotonicMs: () => performance.now() })
 * const exchange = await egress.post({ url: 'https://example.com/hooks', headers: ['content-type', 'application/json'], body })
 */
export function openEgress(options: EgressOptions): Egress {
  return new GuardedEgress(options)
}

class GuardedEgress implements Egress, AttemptHost {
  readonly attemptTimeoutMs: number
  readonly monotonicMs: () => number
  readonly #targets: Targets
  readonly #sources: SocketSources
  readonly #openings = new Set<Opening>()
  readonly #idle: IdleConnections
  readonly #underWay: DeadlineQueue<Attempt>
  readonly #reading: DeadlineQueue<Attempt>
  readonly #watched = new WeakSet<AbortSignal>()
  #closed = false

  constructor(options: EgressOptions) {
    this.attemptTimeoutMs = options.attemptTimeoutMs
    this.monotonicMs = options.monotonicMs
    this.#underWay = new DeadlineQueue(options.attemptTimeoutMs, options.monotonicMs)
    this.#reading = new DeadlineQueue(answerReadMs, options.monotonicMs)
    this.#idle = new IdleConnections(options.monotonicMs)
    const policy: UrlPolicy = createUrlPolicy(options)
    this.#targets = new Targets(policy, options.monotonicMs)
    this.#sources = {
      policy: policy.addresses,
      resolver: new HostResolver(policy.addresses, options.monotonicMs, options),
      tls: new TlsStarter(options.monotonicMs),
      sockets: new OpenSockets(),
      monotonicMs: options.monotonicMs,
    }
  }

  get openSockets(): number {
    return this.#sources.sockets.size
  }

  post(request: PostRequest): Promise<Exchange> {
    return this.#make(request)
  }

  head(request: HeadRequest): Promise<Exchange> {
    return this.#make({ ...request, body: null })
  }

  takeIdle(target: Target): Connection | null {
    return this.#idle.take(target.origin)
  }

  async open({ origin }: Target, opening: Opening, waiter: Waiter): Promise<Connection> {
    const beganAtMs = this.monotonicMs()
    this.#openings.add(opening)
    origin.line.opening(opening, waiter)
    const opened = await openSocket(this.#sources, origin, opening)
      .catch((error: unknown) => {
        origin.line.failed(opening)
        throw error
      })
      .finally(() => this.#openings.delete(opening))
    const openedAtMs = this.monotonicMs()
    origin.line.opened(opening, openedAtMs - beganAtMs)
    const connection = new Connection(origin, opened, openedAtMs, opening.certificate)
    connection.onceGone(gone => {
      this.#idle.forget(gone)
      origin.line.closed()
    })
    return connection
  }

  reading(attempt: Attempt): void {
    attempt.readDeadline = this.#reading.add(attempt, this.monotonicMs())
  }

  ended(attempt: Attempt, reusable: Connection | null): void {
    if (attempt.deadline !== null) this.#underWay.delete(attempt.deadline)
    if (attempt.readDeadline !== null) this.#reading.delete(attempt.readDeadline)
    if (reusable !== null) this.rests(reusable)
  }

  rests(connection: Connection): void {
    const { reuse } = connection.origin
    if (reuse.isRefused) connection.destroy()
    else if (reuse.isProven || !connection.hasAnswered) this.#keep(connection)
    // the immediate lets the event loop look at the sockets once more, however late the timer is
    else setTimeout(() => setImmediate(() => this.#keepIfQuiet(connection)), quietMs).unref()
  }

  #keepIfQuiet(connection: Connection): void {
    const { reuse } = connection.origin
    if (connection.gone || reuse.isRefused) return connection.destroy()
    reuse.prove()
    this.#keep(connection)
  }

  #keep(connection: Connection): void {
    this.#idle.keep(connection)
    connection.origin.line.becameIdle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    for (const attempt of this.#underWay.items()) attempt.abort(shutDown)
    for (const opening of this.#openings) opening.giveUp(closing)
    this.#underWay.close()
    this.#reading.close()
    this.#idle.close()
    this.#sources.resolver.close()
    await this.#sources.sockets.destroyAll()
  }

  #make(request: OutgoingRequest): Promise<Exchange> {
    const target = this.#targets.find(request.url)
    if ('refusal' in target)
      return Promise.resolve(refused({ code: 'address_refused', message: target.refusal }))
    if (this.#closed || request.signal?.aborted === true) return Promise.resolve(refused(shutDown))
    if (request.signal !== undefined) this.#watch(request.signal)
    return new Promise(settle => {
      const attempt = new Attempt(this, target, request, settle)
      attempt.deadline = this.#underWay.add(attempt, attempt.startedAtMs)
      attempt.start()
    })
  }

  /** One listener for each signal, however many requests share it. */
  #watch(signal: AbortSignal): void {
    if (this.#watched.has(signal)) return
    this.#watched.add(signal)
    signal.addEventListener(
      'abort',
      () => {
        for (const attempt of this.#underWay.items())
          if (attempt.request.signal === signal) attempt.abort(shutDown)
      },
      { once: true },
    )
  }
}

const shutDown: AttemptError = {
  code: 'aborted_by_shutdown',
  message: attemptMessage('aborted_by_shutdown', {}),
}

/** Why connections are not opened to the end that nobody waits for any more. */
const closing = new AttemptFailure(shutDown.code, shutDown.message)

/** An exchange that ended before anything was sent. */
function refused(error: AttemptError): Exchange {
  return {
    outcome: 'failure',
    statusCode: null,
    error,
    phases: noPhases(),
    certificate: null,
    durationMs: 0,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    retryAfter: null,
    verifiedParts: null,
  }
}
