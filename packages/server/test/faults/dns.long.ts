import { expect } from 'vitest'
import { startDnsServer } from '../support/dns-server.ts'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { startFaultReceiver } from './fault-receiver.ts'
import { startFaultyEndpoints } from './faulty-endpoints.ts'

/** DNS answers are cached for a minute, and connections are reused no longer. */
const believedMs = 60_000
const askAgainMs = 5_000

fault(
  'F43',
  'a process notices within a minute that a name has a private address, and never connects to it',
  async seen => {
    await using dns = await startDnsServer()
    await using receiver = await startFaultReceiver(behaves.answers(503, { connection: 'keep-alive' }), '::')
    const host = 'turning.example.com'
    dns.addresses(host, '127.0.0.1')
    const turning = { url: `http://${host}:${receiver.port}/`, requests: receiver.requests }
    await using endpoints = await startFaultyEndpoints(
      { turning },
      { POSTHORN_DNS_SERVERS: dns.address, POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' },
    )
    await endpoints.sendAll()
    dns.addresses(host, '127.0.0.2')

    let triedAtMs = 0
    const turnedAtMs = Date.now()
    await until(
      'the address is refused',
      async () => {
        if (Date.now() - triedAtMs < askAgainMs) return false
        triedAtMs = Date.now()
        const { attempts } = await endpoints.tryAgain('turning')
        return attempts.at(-1)?.error?.code === 'address_refused'
      },
      2 * believedMs,
    )
    expect(Date.now() - turnedAtMs).toBeLessThan(believedMs + 4 * askAgainMs)
    expect(new Set(receiver.reachedAt)).toEqual(new Set(['127.0.0.1']))
    const { attempts } = await endpoints.told('turning')
    seen(`${attempts.length - 1} attempts while the old DNS answer was cached, 0 to the new address`)
  },
)
