import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { startDeafPort } from '../egress/deaf-port.ts'
import { type Customer, customerAt, newCustomer } from '../support/api.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'
import { runsStatement } from './runs-statement.ts'

const settings = {
  POSTHORN_LEASE_SECONDS: '4',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2.5',
  POSTHORN_RETRY_BASE_SECONDS: '1',
}
const silentName = 'silent.example'

fault(
  'F1',
  'after a kill at any point of an attempt, the delivery is completed; it is sent twice only if the receiver already had it',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver(({ path }) => (path === '/unanswered' ? undefined : 204))
    await using nameServer = await startDnsServer()
    nameServer.misbehave(silentName, 'silence')
    await using deaf = await startDeafPort()
    await using doomed = await startService(database.harmed, {
      ...settings,
      POSTHORN_DNS_SERVERS: nameServer.address,
    })
    const report = async (url: string): Promise<Reported> => {
      const customer = await newCustomer(doomed.url, doomed.operator)
      const { id } = await customer.newWebhook({ url })
      await customer.report(1)
      return { customer, webhookId: id }
    }

    const isLoading = database.proxy.holdRequest(request => request.includes('sending-profile\0'))
    const unsent = await report(receiver.url('/unsent'))
    await isLoading
    const isSettling = database.proxy.holdRequest(runsStatement('settle'))
    const unwritten = await report(receiver.url('/unwritten'))
    await isSettling
    const unanswered = await report(receiver.url('/unanswered'))
    await until('the request has been sent', () => receiver.received.some(one => one.path === '/unanswered'))
    const before = connecting(deaf.number)
    const unconnected = await report(`http://127.0.0.1:${deaf.number}/`)
    await until('it is connecting', () => connecting(deaf.number) > before)
    const unresolved = await report(`http://${silentName}/`)
    await until('it asks the DNS', () => nameServer.asked(silentName) > 0)
    await doomed.kill()

    receiver.respondWith(() => 204)
    await using heir = await startService(database.spared, settings)
    const moved = [
      { ...unconnected, path: '/unconnected' },
      { ...unresolved, path: '/unresolved' },
    ]
    for (const { customer, webhookId, path } of moved) {
      const { api } = customerAt(heir.url, customer.accountId, customer.apiKey)
      await api.patch(`/v1/webhooks/${webhookId}`, { url: receiver.url(path) })
    }
    const all = [unsent, unresolved, unconnected, unanswered, unwritten]
    await receiver.waitForEvents(all.length)
    for (const { customer, webhookId } of all) {
      const there = customerAt(heir.url, customer.accountId, customer.apiKey)
      await until(
        'it is delivered',
        async () => (await there.deliveries(webhookId, '&state=delivered')).length === 1,
      )
    }
    const times = Map.groupBy(receiver.received, one => one.path)
    expect(Object.fromEntries([...times].map(([path, requests]) => [path, requests.length]))).toEqual({
      '/unsent': 1,
      '/unresolved': 1,
      '/unconnected': 1,
      '/unanswered': 2,
      '/unwritten': 2,
    })
    seen('5 points: before the send, DNS, connect, after the request, between the 2xx and the commit')
  },
)

interface Reported {
  customer: Customer
  webhookId: string
}

/** Connections to a port that are being opened, on the whole machine. */
function connecting(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readFileSync('/proc/net/tcp', 'utf8').match(new RegExp(`:${hex} 02 `, 'g'))?.length ?? 0
}
