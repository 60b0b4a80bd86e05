import fc from 'fast-check'
import { expect } from 'vitest'
import { parseIp, formatIp, type IpAddress } from '../../../src/domain/ip-address.ts'
import { createAddressPolicy } from '../../../src/domain/address-policy.ts'
import { alwaysDenied } from '../../../src/domain/denied-addresses.ts'
import { parseCidr, cidrContains } from '../../../src/domain/cidr.ts'
import { checkEndpointUrl, createUrlPolicy } from '../../../src/domain/url-policy.ts'
import { AttemptFailure } from '../../../src/egress/attempt-failure.ts'
import { HostResolver } from '../../../src/egress/resolve-host.ts'
import { answering } from '../../egress/open-test-egress.ts'
import { ipv4InIpv6 } from '../../domain/ipv4-in-ipv6.ts'
import { fault } from '../fault.ts'
import { addresses, createOracle, edges } from './denied-addresses.ts'
import { newSeed } from './seed.ts'
import { hostsOf, urlsWith } from './url-spellings.ts'

const openedCidrs = ['127.0.0.0/8', '10.20.0.0/16', 'fd00:1::/32']
const strict = createUrlPolicy({ allowCidrs: [], allowHttp: true, ports: [443, 8443] })
const opened = createUrlPolicy({ allowCidrs: openedCidrs, allowHttp: true, ports: [443] })
const everything = createAddressPolicy(['0.0.0.0/0', '::/0'])
const isIn = (cidrs: readonly string[], address: IpAddress): boolean =>
  cidrs.some(cidr => cidrContains(parseCidr(cidr), address))

/** Checks `count` generated URLs and DNS answers against the address guard. */
export function urlFaults(count: number): void {
  const seed = newSeed()
  const isDenied = createOracle()
  const hosts = addresses().chain(address => fc.constantFrom(...hostsOf(address)))
  const half = Math.ceil(count / 2)
  const told = (n: number): string => n.toLocaleString('en')

  fault(
    'G3',
    'no spelling of a denied address passes the URL check unless the operator allows that address',
    async seen => {
      fc.assert(
        fc.property(urlsWith(hosts), url => {
          expect(checkEndpointUrl(url, strict).ok, url).toBe(false)
          const verdict = checkEndpointUrl(url, opened)
          if (!verdict.ok) return
          const { hostname } = new URL(verdict.url)
          const address = parseIp(hostname.replace(/^\[|\]$/g, ''))
          expect(address !== null && isIn(openedCidrs, address), `${url} → ${verdict.url}`).toBe(true)
        }),
        { numRuns: half, seed },
      )
      await Promise.resolve()
      seen(`${told(half)} URLs`)
    },
    3_600_000,
  )

  fault(
    'G3',
    'a name is rejected exactly if one of its addresses is denied, up to the edges of each range',
    async seen => {
      const policy = createAddressPolicy([])
      for (const address of edges()) {
        expect(policy.check(formatIp(address)).allowed, formatIp(address)).toBe(!isDenied(address))
        if (address.family === 6) continue
        for (const spelling of ipv4InIpv6(address.value))
          expect(policy.check(spelling).allowed, spelling).toBe(false)
        const isNever = isIn(
          alwaysDenied.map(({ cidr }) => cidr),
          address,
        )
        for (const spelling of isNever ? ipv4InIpv6(address.value) : [])
          expect(everything.check(spelling).allowed, spelling).toBe(false)
      }
      const found = fc.tuple(fc.array(addresses(), { minLength: 1, maxLength: 3 }), fc.nat())
      await fc.assert(
        fc.asyncProperty(found, async ([all, n]) => {
          const host = `h${n}.example.com`
          const resolver = answering({ [host]: all.map(formatIp) })
          const resolved = await new HostResolver(policy, () => 0, { resolver })
            .resolve(host)
            .catch(refusedOnly)
          expect(resolved === 'refused', all.map(formatIp).join()).toBe(all.some(isDenied))
        }),
        { numRuns: half, seed },
      )
      seen(`${edges().length} range edges, ${told(half)} DNS answers`)
    },
    3_600_000,
  )
}

function refusedOnly(error: unknown): 'refused' {
  if (error instanceof AttemptFailure && error.code === 'address_refused') return 'refused'
  throw error
}
