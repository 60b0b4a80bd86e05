import { expect, test } from 'vitest'
import { openDns } from '../../src/dns/open-dns.ts'
import { openEgress } from '../../src/egress/open-egress.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { post } from './open-test-egress.ts'
import { answer, startCannedReceiver } from './raw-receiver.ts'

const good = 'hooks.example.com'
const bad = 'rubbish.example.net'

/** A name server that delays its answer for one name and sends a malformed answer for the other. */
async function startHalfBrokenDns(): Promise<{ dns: DnsServer; release: () => void }> {
  const dns = await startDnsServer()
  dns.addresses(good, '127.0.0.1')
  dns.txt(good, 'v=spf1 -all')
  dns.misbehave(bad, 'garbage')
  return { dns, release: dns.hold(good) }
}

test('a malformed DNS answer for one host fails no attempt to another', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const { dns, release } = await startHalfBrokenDns()
  await using _dns = dns
  await using egress = openEgress({
    allowCidrs: ['127.0.0.0/8'],
    allowHttp: true,
    ports: [443],
    attemptTimeoutMs: 10_000,
    monotonicMs: () => performance.now(),
    dnsServers: [dns.address],
  })

  const innocent = post(egress, `http://${good}:${receiver.port}/`)
  await expect.poll(() => dns.asked(good)).toBeGreaterThan(0)
  const guilty = await post(egress, `http://${bad}:${receiver.port}/`)
  expect(guilty.error).toMatchObject({
    code: 'dns_failed',
    message: expect.stringContaining('name servers answered BADRESP'),
  })

  release()
  expect((await innocent).outcome).toBe('success')
})

test('a malformed DNS answer for one domain does not affect the check of another', async () => {
  const { dns, release } = await startHalfBrokenDns()
  await using _dns = dns
  const lookup = openDns([dns.address])

  const innocent = lookup.txt(good)
  expect(await lookup.txt(bad)).toEqual({ kind: 'failed', code: 'EBADRESP' })

  release()
  expect(await innocent).toEqual({ kind: 'found', values: ['v=spf1 -all'] })
})
