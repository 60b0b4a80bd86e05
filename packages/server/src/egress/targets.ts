import { isAtLoopbackOrigin } from '../domain/loopback-url.ts'
import { checkEndpointUrl, type UrlPolicy } from '../domain/url-policy.ts'
import type { ClientCertificate } from './egress.ts'
import { Origin, type OriginFacts } from './origin.ts'

/** A parsed and checked URL. */
export interface Target {
  readonly origin: Origin
  readonly path: string
}

export interface RefusedTarget {
  readonly refusal: string
}

const cachedMax = 10_000

/** Caches the policy's decision for each URL. A stored URL may be older than the policy, so it is checked again here. */
export class Targets {
  readonly #policy: UrlPolicy
  readonly #monotonicMs: () => number
  readonly #targets = new Map<string, Target | RefusedTarget>()
  readonly #origins = new Map<string, Origin>()
  /** Permitted loopback targets are separate, because the policy does not apply to them. */
  readonly #loopbackTargets = new Map<string, Target>()
  readonly #loopbackOrigins = new Map<string, Origin>()

  constructor(policy: UrlPolicy, monotonicMs: () => number) {
    this.#policy = policy
    this.#monotonicMs = monotonicMs
  }

  /**
   * Each client certificate has its own origins, and so its own connections.
   * @param loopbackOrigin the origin that the operator permitted for this endpoint
   */
  find(
    url: string,
    loopbackOrigin: string | null = null,
    certificate: ClientCertificate | null = null,
  ): Target | RefusedTarget {
    if (loopbackOrigin !== null) return this.#findPermitted(url, loopbackOrigin)
    return this.#targets.get(keyOf(url, certificate)) ?? this.#read(url, certificate)
  }

  #findPermitted(url: string, loopbackOrigin: string): Target | RefusedTarget {
    const known = this.#loopbackTargets.get(url)
    if (known?.origin.href === loopbackOrigin) return known
    if (!isAtLoopbackOrigin(url, loopbackOrigin)) {
      return { refusal: 'The URL is not at the address that the operator permitted for this endpoint.' }
    }
    const target = this.#target(new URL(url), this.#loopbackOrigins, { isPermittedLoopback: true })
    cache(this.#loopbackTargets, url, target)
    return target
  }

  #read(text: string, certificate: ClientCertificate | null): Target | RefusedTarget {
    const verdict = checkEndpointUrl(text, this.#policy)
    const target = verdict.ok
      ? this.#target(new URL(verdict.url), this.#origins, { clientCertificate: certificate })
      : { refusal: verdict.reason }
    cache(this.#targets, keyOf(text, certificate), target)
    return target
  }

  #target(url: URL, origins: Map<string, Origin>, facts: OriginFacts): Target {
    const key = keyOf(url.origin, facts.clientCertificate ?? null)
    let origin = origins.get(key)
    if (origin === undefined) {
      origin = new Origin(url, this.#monotonicMs, facts)
      cache(origins, key, origin)
    }
    return { origin, path: url.pathname + url.search }
  }
}

/** No URL contains a space. */
function keyOf(url: string, certificate: ClientCertificate | null): string {
  return certificate === null ? url : `${certificate.id} ${url}`
}

/** Idle connections of an evicted origin are not reused and close within seconds. */
function cache<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= cachedMax) {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(key, value)
}
