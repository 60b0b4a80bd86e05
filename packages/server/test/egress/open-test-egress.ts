import { openEgress } from '../../src/egress/open-egress.ts'
import type { Egress, EgressOptions, Exchange, Resolver } from '../../src/egress/egress.ts'

/** The real client with loopback allowed. No name resolves unless the test says so. */
export function openTestEgress(overrides: Partial<EgressOptions> = {}): Egress {
  return openEgress({
    allowCidrs: ['127.0.0.0/8', '::1/128'],
    allowHttp: true,
    ports: [443],
    attemptTimeoutMs: 10_000,
    monotonicMs: () => performance.now(),
    resolver: answering({}),
    ...overrides,
  })
}

/** A resolver that knows these names and counts its queries. */
export function answering(hosts: Record<string, string[]>): Resolver & { asked: number } {
  const find = async (host: string, family: 4 | 6) => {
    const found = (hosts[host] ?? []).filter(address => address.includes(':') === (family === 6))
    if (found.length === 0) throw Object.assign(new Error('no answer'), { code: 'ENOTFOUND' })
    return found
  }
  const resolver = {
    asked: 0,
    resolve4(host: string) {
      resolver.asked += 1
      return find(host, 4)
    },
    resolve6: (host: string) => find(host, 6),
  }
  return resolver
}

/** Posts a small event. */
export function post(egress: Egress, url: string, body = '{}', signal?: AbortSignal): Promise<Exchange> {
  return egress.post({
    url,
    headers: ['content-type', 'application/json', 'x-service-attempt', '1'],
    body: Buffer.from(body),
    ...(signal !== undefined && { signal }),
  })
}
