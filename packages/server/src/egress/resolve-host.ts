import { isIP } from 'node:net'
import { DnsClient } from '../dns/dns-client.ts'
import type { AddressPolicy } from '../domain/address-policy.ts'
import { attemptError, AttemptFailure, errorCode } from './attempt-failure.ts'
import type { EgressOptions, Resolver } from './egress.ts'

const timeoutMs = 3_000
const noAnswer = `Its name servers did not answer within ${timeoutMs / 1000} s.`
const cachedMs = 60_000
const failureCachedMs = 5_000
const addressesMax = 16
const hostsMax = 10_000

/**
 * Resolves a host to addresses, if the policy allows all of them. One refused address among public ones is an attack, or a
 * mistake that would make deliveries fail at random. Asks DNS only, never the hosts file.
 */
export class HostResolver {
  readonly #policy: AddressPolicy
  readonly #resolver: Resolver
  readonly #monotonicMs: () => number
  readonly #answers = new Map<string, Answer>()

  constructor(
    policy: AddressPolicy,
    monotonicMs: () => number,
    { resolver, dnsServers = null }: Pick<EgressOptions, 'resolver' | 'dnsServers'> = {},
  ) {
    this.#policy = policy
    this.#monotonicMs = monotonicMs
    // two tries of one second and the pauses of c-ares take three seconds
    this.#resolver = resolver ?? new DnsClient({ servers: dnsServers, timeoutMs: 1_000, tries: 2 })
  }

  /** Cancels the queries in progress. */
  close(): void {
    if (this.#resolver instanceof DnsClient) this.#resolver.cancel()
  }

  /** Rejects with `AttemptFailure`. */
  async resolve(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return this.#vet(host, [host])
    if (host === 'localhost') return this.#vet(host, ['127.0.0.1', '::1'])
    const known = this.#answers.get(host)
    if (known !== undefined && this.#monotonicMs() < known.untilMs) return await known.addresses
    return await this.#ask(host)
  }

  async #ask(host: string): Promise<readonly string[]> {
    const answer: Answer = { addresses: this.#lookup(host), untilMs: Number.POSITIVE_INFINITY }
    if (this.#answers.size >= hostsMax) this.#answers.clear()
    this.#answers.set(host, answer)
    const validMs = await answer.addresses.then(
      () => cachedMs,
      () => failureCachedMs,
    )
    answer.untilMs = this.#monotonicMs() + validMs
    return await answer.addresses
  }

  async #lookup(host: string): Promise<readonly string[]> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      late.reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' }))
    }, timeoutMs)
    try {
      // each family for itself, because some name servers never answer for IPv6
      const [ipv4, ipv6] = await Promise.allSettled([
        Promise.race([this.#resolver.resolve4(host), late.promise]),
        Promise.race([this.#resolver.resolve6(host), late.promise]),
      ])
      const found = interleave(valueOf(ipv4), valueOf(ipv6))
      if (found.length === 0) throw nothingFound(host, [ipv4, ipv6])
      return this.#vet(host, found).slice(0, addressesMax)
    } finally {
      clearTimeout(timer)
    }
  }

  #vet(host: string, addresses: readonly string[]): readonly string[] {
    for (const address of addresses) vetAddress(this.#policy, host, address)
    return addresses
  }
}

/** @throws AttemptFailure without the address, because that would show the customer the internal network */
export function vetAddress(policy: AddressPolicy, host: string, address: string): void {
  if (policy.check(address).allowed) return
  throw new AttemptFailure(attemptError('address_refused', { host }))
}

interface Answer {
  addresses: Promise<readonly string[]>
  untilMs: number
}

function valueOf(result: PromiseSettledResult<string[]>): string[] {
  return result.status === 'fulfilled' ? result.value : []
}

/** Alternates IPv4 and IPv6, so that a family that does not work costs one short wait. */
function interleave(first: readonly string[], second: readonly string[]): string[] {
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) =>
    [first[index], second[index]].filter(address => address !== undefined),
  ).flat()
}

function nothingFound(host: string, results: readonly PromiseSettledResult<string[]>[]): AttemptFailure {
  const codes = results.map(result => (result.status === 'rejected' ? errorCode(result.reason) : 'ENODATA'))
  const serious = codes.find(code => code !== 'ENODATA' && code !== 'ENOTFOUND')
  if (serious === undefined) return notFound(host, 'It has no address we can see.')
  if (serious === 'ETIMEOUT') return notFound(host, noAnswer)
  return notFound(host, `Its name servers answered ${serious.replace(/^E/, '')}.`)
}

function notFound(host: string, cause: string): AttemptFailure {
  return new AttemptFailure(attemptError('dns_failed', { host }, cause))
}
