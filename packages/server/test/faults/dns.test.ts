import { afterAll, beforeAll, expect } from 'vitest'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { type FaultReceiver, startFaultReceiver } from './fault-receiver.ts'
import { type FaultyEndpoint, type FaultyEndpoints, startFaultyEndpoints } from './faulty-endpoints.ts'

// the allowed addresses simulate the public internet, the rest of this machine simulates the internal network
const outside = '127.0.0.1'
const inside = '127.0.0.2'
const opened = ['127.0.0.1/32', '127.1.0.0/16', '::1/128', 'fd00:abcd::/32']
/** 500 allowed addresses. */
const many = Array.from({ length: 500 }, (_, n) => `127.1.${n >> 8}.${n & 255}`)

const names = [
  'unknown',
  'servfail',
  'silent',
  'many',
  'many-and-one',
  'loop',
  'ipv6-only',
  'broken-ipv6',
  'broken-ipv4',
  'mixed',
  'mixed-families',
  'moved',
  'turning',
  'changing',
] as const
type Name = (typeof names)[number]
const hostOf = (name: Name): string => `${name}.example.com`

let dns: DnsServer
/** Listens on all addresses of this machine. */
let everywhere: FaultReceiver
/** Like `everywhere`, but answers 503. */
let failing: FaultReceiver
let endpoints: FaultyEndpoints
const things = new AsyncDisposableStack()

const asFailure = (code: string, words: string): object => ({
  delivery: { state: 'failed', next_attempt_at: expect.any(String) },
  attempt: { status_code: null, error: { code, message: expect.stringContaining(words) } },
})
const asSuccess = { delivery: { state: 'delivered', attempt_count: 1 } }
const asRefused = asFailure('address_refused', 'resolves to an address that we do not deliver to')

async function expectTold(name: Name, expected: object): Promise<void> {
  const told = await endpoints.told(name)
  expect(told, name).toMatchObject(expected)
  expect(told.attempt.error?.message ?? '', 'the message tells no address').not.toMatch(/127\.|fd00|10\.0/)
}

/** No connection has reached an address that is not allowed. */
function expectNothingInside(): void {
  const reached = [...everywhere.reachedAt, ...failing.reachedAt]
  expect(reached.filter(address => !/^(127\.0\.0\.1|127\.1\..*|::1)$/.test(address))).toEqual([])
}

beforeAll(async () => {
  dns = things.use(await startDnsServer())
  everywhere = things.use(await startFaultReceiver(behaves.answers(204), '::'))
  const onlyIpv6 = things.use(await startFaultReceiver(behaves.answers(204), '::1'))
  failing = things.use(await startFaultReceiver(behaves.answers(503), '::'))
  const at = (name: Name): FaultyEndpoint => {
    const receiver = name === 'broken-ipv4' ? onlyIpv6 : name === 'turning' ? failing : everywhere
    return { url: `http://${hostOf(name)}:${receiver.port}/`, requests: receiver.requests }
  }
  dns.misbehave(hostOf('servfail'), 'servfail')
  dns.misbehave(hostOf('silent'), 'silence')
  dns.addresses(hostOf('many'), ...many)
  dns.addresses(hostOf('many-and-one'), ...many, inside)
  dns.cname(hostOf('loop'), 'loop-2.example.com')
  dns.cname('loop-2.example.com', hostOf('loop'))
  dns.addresses(hostOf('ipv6-only'), '::1')
  dns.addresses(hostOf('broken-ipv6'), outside, 'fd00:abcd::1')
  dns.addresses(hostOf('broken-ipv4'), outside, '::1')
  dns.addresses(hostOf('mixed'), outside, inside)
  dns.addresses(hostOf('mixed-families'), outside, 'fd00:1::1')
  dns.addresses(hostOf('moved'), outside)
  dns.addresses(hostOf('turning'), outside)
  dns.addressesInTurn(hostOf('changing'), [outside], [inside])
  endpoints = things.use(
    await startFaultyEndpoints(Object.fromEntries(names.map(name => [name, at(name)])), {
      POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '10',
      POSTHORN_DNS_SERVERS: dns.address,
      POSTHORN_EGRESS_ALLOW: opened.join(','),
    }),
  )
  // saved while its name resolved to an outside address
  dns.addresses(hostOf('moved'), inside)
  await endpoints.sendAll()
})
afterAll(async () => await things.disposeAsync())

fault(
  'F42',
  'a failed DNS lookup ends the attempt within three seconds and reports the name servers’ answer',
  async () => {
    await expectTold('unknown', asFailure('dns_failed', 'no address we can see'))
    await expectTold('loop', asFailure('dns_failed', 'could not find'))
    await expectTold('servfail', asFailure('dns_failed', 'SERVFAIL'))
    await expectTold('silent', asFailure('dns_failed', 'did not answer within 3 s'))
    await expectTold('many', asSuccess)
  },
)

fault('F43', 'a name that changes to a private address gets no connection', async seen => {
  await expectTold('moved', asRefused)
  // the client connects to the address that it has checked, even if the name server gives another one the second time
  await expectTold('changing', asSuccess)
  expect(dns.asked(hostOf('changing'))).toBe(1)

  await expectTold('turning', { attempts: [{ status_code: 503 }] })
  dns.addresses(hostOf('turning'), inside)
  await endpoints.restart()
  const turned = await endpoints.tryAgain('turning')
  expect(turned.attempts).toMatchObject([
    { status_code: 503 },
    { status_code: null, error: { code: 'address_refused' } },
  ])
  expectNothingInside()
  seen('changed between save and first attempt, between two DNS queries, between two attempts')
})

fault('F44', 'one denied address among allowed ones blocks the delivery', async () => {
  for (const name of ['mixed', 'mixed-families', 'many-and-one'] as const) await expectTold(name, asRefused)
  expectNothingInside()
})

fault('F45', 'one working address family is enough', async () => {
  for (const name of ['ipv6-only', 'broken-ipv6', 'broken-ipv4'] as const) await expectTold(name, asSuccess)
})
