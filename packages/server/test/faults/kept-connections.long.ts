import type { Socket } from 'node:net'
import type { Delivery } from '@posthorn/contract'
import { expect } from 'vitest'
import { answer } from '../egress/raw-receiver.ts'
import { expectStatus } from '../support/api.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { type Behaviour, type FaultReceiver, startFaultReceiver } from './fault-receiver.ts'
import { type FaultyEndpoints, retriesAtOnce, startFaultyEndpoints } from './faulty-endpoints.ts'

const eventsPerRound = 25
/** Events for each endpoint: one to begin with, and four rounds. */
const events = 1 + 4 * eventsPerRound

/** Sends a second answer as soon as the first one was written. */
function answersTwice(status: number): Behaviour {
  return {
    answer: socket => {
      socket.write(answer(204))
      process.nextTick(() => socket.write(answer(status)))
    },
  }
}

/** Answers, and closes the connection later without `Connection: close`. */
const closesLater: Behaviour = {
  answer: (socket, n) => {
    socket.write(answer(204))
    setTimeout(() => socket.destroy(), (n * 37) % 200)
  },
}

/** Answers the first request of each connection and resets the connection at the second one. */
function resetsAtSecond(): Behaviour {
  const known = new WeakSet<Socket>()
  return {
    answer: socket => {
      if (known.has(socket)) return void socket.resetAndDestroy()
      known.add(socket)
      socket.write(answer(204))
    },
  }
}

const settings = { ...retriesAtOnce, POSTHORN_API_RATE_LIMIT: '0' }

fault('F65', 'an unrequested response is not taken for the response to the next request', async seen => {
  await using stray200 = await startFaultReceiver(answersTwice(200))
  await using stray408 = await startFaultReceiver(answersTwice(408))
  await using stray410 = await startFaultReceiver(answersTwice(410))
  const receivers = { stray200, stray408, stray410 }
  await using endpoints = await startFaultyEndpoints(receivers, settings)
  await sendRounds(endpoints, Object.keys(receivers))
  for (const [name, { requests }] of Object.entries(receivers)) {
    await expectOneAttemptEach(endpoints, name)
    expect(requests(), name).toBe(events)
  }
  seen(`${events} events for each of 3 receivers, and as many requests`)
})

fault(
  'F40',
  'when an idle connection closes under a request, the request is sent again on a new connection',
  async seen => {
    await using resetting = await startFaultReceiver(resetsAtSecond())
    await using ending = await startFaultReceiver({ answer: socket => void socket.end(answer(204)) })
    await expectNoFailure({ resetting, ending }, seen)
  },
)

fault(
  'F66',
  'a receiver that closes idle connections without notice causes no failed attempt',
  async seen => {
    await using closing = await startFaultReceiver(closesLater)
    await expectNoFailure({ closing }, seen)
  },
)

async function expectNoFailure(
  receivers: Record<string, FaultReceiver>,
  seen: (figure: string) => void,
): Promise<void> {
  await using endpoints = await startFaultyEndpoints(receivers, settings)
  await sendRounds(endpoints, Object.keys(receivers))
  for (const [name, { requests }] of Object.entries(receivers)) {
    await expectOneAttemptEach(endpoints, name)
    seen(`${name}: ${events} events, ${events} attempts, ${requests()} requests`)
  }
}

/** Reports events in rounds. Each round waits for the deliveries of the previous one. */
async function sendRounds(endpoints: FaultyEndpoints, names: readonly string[]): Promise<void> {
  await endpoints.sendAll()
  const webhooks = await Promise.all(names.map(async name => (await endpoints.told(name)).webhook.id))
  for (let sent = 1; sent < events; ) {
    sent += (await endpoints.customer.report(eventsPerRound, { type: 'email.bounced' })).length
    await until('all are delivered', async () => {
      const all = await Promise.all(webhooks.map(async id => await endpoints.customer.deliveries(id)))
      return all.every(some => some.length === sent && some.every(({ state }) => state === 'delivered'))
    })
  }
}

/** The first attempt delivered each event, with the receiver's status. */
async function expectOneAttemptEach(endpoints: FaultyEndpoints, name: string): Promise<void> {
  const { customer } = endpoints
  const { webhook } = await endpoints.told(name)
  expect(webhook, name).toMatchObject({ status: 'enabled' })
  const deliveries = await customer.deliveries(webhook.id)
  const statuses = await Promise.all(
    deliveries.map(async ({ id }) => {
      const { attempts } = expectStatus(200, await customer.api.get<Delivery>(`/v1/deliveries/${id}`))
      return attempts?.map(attempt => attempt.status_code)
    }),
  )
  expect(statuses, name).toEqual(Array.from({ length: events }, () => [204]))
}
