import { createUrlPolicy } from '../domain/url-policy.ts'
import { attemptError } from './attempt-failure.ts'
import { Attempt, type AttemptTools } from './attempt.ts'
import { ConnectionPool } from './connection-pool.ts'
import {
  type Egress,
  type EgressOptions,
  type Exchange,
  failedExchange,
  type HeadRequest,
  type PostRequest,
} from './egress.ts'
import type { OutgoingRequest } from './request-bytes.ts'
import { HostResolver } from './resolve-host.ts'
import { TlsStarter } from './start-tls.ts'
import { type RefusedTarget, type Target, Targets } from './targets.ts'

/**
 * Creates the HTTP client for webhooks. It opens no connection before the first request.
 *
 * @example
 * await using egress = openEgress({ allowCidrs: [], allowHttp: false, ports: [443], attemptTimeoutMs: 15_000, monotonicMs: () => performance.now() })
 * const exchange = await egress.post({ url: 'https://example.com/hooks', headers: ['content-type', 'application/json'], body })
 */
export function openEgress(options: EgressOptions): Egress {
  return new GuardedEgress(options)
}

class GuardedEgress implements Egress {
  readonly #targets: Targets
  readonly #tools: AttemptTools
  readonly #watchedSignals = new WeakSet<AbortSignal>()
  #closed = false

  constructor(options: EgressOptions) {
    const { monotonicMs, attemptTimeoutMs } = options
    const policy = createUrlPolicy(options)
    this.#targets = new Targets(policy, monotonicMs)
    const pool = new ConnectionPool({
      policy: policy.addresses,
      resolver: new HostResolver(policy.addresses, monotonicMs, options),
      tls: new TlsStarter(monotonicMs),
      proxy: options.proxy ?? null,
      source: options.source ?? null,
      monotonicMs,
    })
    const verifiedHeader = (options.verifiedHeader ?? 'X-Service-Verified').toLowerCase()
    this.#tools = { attemptTimeoutMs, monotonicMs, pool, verifiedHeader }
  }

  get openSockets(): number {
    return this.#tools.pool.sockets.size
  }

  post(request: PostRequest): Promise<Exchange> {
    const { loopbackOrigin = null, clientCertificate = null } = request
    return this.#make(request, this.#targets.find(request.url, loopbackOrigin, clientCertificate))
  }

  head(request: HeadRequest): Promise<Exchange> {
    return this.#make({ ...request, body: null }, this.#targets.find(request.url))
  }

  get(request: HeadRequest): Promise<Exchange> {
    return this.#make({ ...request, body: null, isRead: true }, this.#targets.find(request.url))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    for (const attempt of this.#tools.pool.attempts()) attempt.end(shutDown)
    await this.#tools.pool.close()
  }

  #make(request: OutgoingRequest, target: Target | RefusedTarget): Promise<Exchange> {
    if ('refusal' in target)
      return Promise.resolve(failedExchange({ code: 'address_refused', message: target.refusal }))
    if (this.#closed || request.signal?.aborted === true) return Promise.resolve(failedExchange(shutDown))
    if (request.signal !== undefined) this.#watch(request.signal)
    return new Promise(settle => new Attempt(this.#tools, target, request, settle).start())
  }

  /** Adds one listener for each signal, even if many requests share it. */
  #watch(signal: AbortSignal): void {
    if (this.#watchedSignals.has(signal)) return
    this.#watchedSignals.add(signal)
    signal.addEventListener(
      'abort',
      () => {
        for (const attempt of this.#tools.pool.attempts())
          if (attempt.request.signal === signal) attempt.end(shutDown)
      },
      { once: true },
    )
  }
}

const shutDown = attemptError('aborted_by_shutdown', {})
