import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { Scheduler, type Started } from './scheduler.ts'
import { someDelivery } from '../../test/dispatch/some-delivery.ts'

const inFlightMax = 16
const inFlightPerEndpointMax = 4

/** A scheduler, what it has started in order, and how the attempts end. */
function open(options: { inFlightMax?: number; inFlightPerEndpointMax?: number } = {}) {
  const flying: Started[] = []
  const order: LeasedDelivery[] = []
  let made = 0
  const scheduler = new Scheduler({
    inFlightMax,
    inFlightPerEndpointMax,
    unsettled: () => 0,
    start: started => {
      flying.push(started)
      order.push(started.delivery)
    },
    ...options,
  })
  const add = (
    accountId: string,
    endpoint: string,
    { bytes = 0, failuresInRow = 0, times = 1 } = {},
  ): void => {
    for (let n = 0; n < times; n++)
      scheduler.add(delivery(accountId, `${accountId}/${endpoint}`, made++, bytes), failuresInRow)
  }
  const end = (at: number, outcome: 'success' | 'failure' | 'abandoned'): void => {
    const [started] = flying.splice(at, 1)
    if (started === undefined) return
    if (outcome === 'abandoned') scheduler.abandoned(started)
    else scheduler.finished(started, outcome, 5)
    scheduler.pump()
  }
  const inFlightOf = (what: 'accountId' | 'endpointId', id: string): number =>
    flying.filter(started => started.delivery[what] === id).length
  return { scheduler, add, end, flying, order, inFlightOf, made: () => made }
}

function delivery(accountId: string, endpointId: string, n: number, bytes: number): LeasedDelivery {
  const facts = { deliveryId: `${n}`, sequence: n, body: new Uint8Array(bytes), startByMs: n }
  return someDelivery(accountId, endpointId, facts)
}

const account = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  fc.record({
    add: fc.record({
      account,
      endpoint: fc.constantFrom('1', '2', '3', '4'),
      bytes: fc.constantFrom(0, 100, 50_000),
      failuresInRow: fc.constantFrom(0, 0, 2, 5),
      times: fc.integer({ min: 1, max: 10 }),
    }),
  }),
  fc.record({ end: fc.nat(100), outcome: fc.constantFrom('success', 'success', 'failure', 'abandoned') }),
  fc.record({ removed: fc.nat(200) }),
)

test('the limits hold, and no delivery is lost or started twice', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), steps => {
      const { scheduler, add, end, flying, order, inFlightOf, made } = open()
      const out: LeasedDelivery[] = []
      for (const one of steps) {
        if ('add' in one) {
          add(one.add.account, one.add.endpoint, one.add)
          scheduler.pump()
        } else if ('end' in one) {
          end(one.end % Math.max(1, flying.length), one.outcome)
        } else {
          out.push(...scheduler.removeUnstarted(({ startByMs }) => startByMs < one.removed))
        }
        expect(flying.length).toBeLessThanOrEqual(inFlightMax)
        expect(scheduler.inFlight).toBe(flying.length)
        for (const { endpoint } of flying)
          expect(inFlightOf('endpointId', endpoint.endpointId)).toBeLessThanOrEqual(inFlightPerEndpointMax)
        const ofShare = (share: string): number => flying.filter(started => started.share === share).length
        expect(ofShare('failing')).toBeLessThanOrEqual(inFlightMax / 4)
        expect(ofShare('failing') + ofShare('unproven')).toBeLessThanOrEqual(inFlightMax / 2)
        expect(order.length + out.length + scheduler.unstarted).toBe(made())
      }
      // if every attempt succeeds, all deliveries start eventually
      while (flying.length > 0) end(0, 'success')
      expect(scheduler.unstarted).toBe(0)
      const seen = [...order, ...out].map(one => one.sequence).toSorted((x, y) => x - y)
      expect(seen).toEqual(Array.from({ length: made() }, (_, n) => n))
    }),
  )
})

test('deliveries of an endpoint start in the order in which they arrived', () => {
  const { scheduler, add, end, order } = open()
  for (let n = 0; n < 30; n++) add('a', `${n % 3}`)
  scheduler.pump()
  for (let n = 0; n < 30; n++) end(0, 'success')
  for (const endpointId of ['a/0', 'a/1', 'a/2']) {
    const sequences = order.filter(one => one.endpointId === endpointId).map(one => one.sequence)
    expect(sequences).toEqual(sequences.toSorted((x, y) => x - y))
    expect(sequences).toHaveLength(10)
  }
})

test('accounts share capacity by bytes, so an account with large bodies starts fewer deliveries', () => {
  const one = open({ inFlightMax: 1 })
  // proven endpoints, so that only bytes decide
  for (const accountId of ['large', 'small']) one.add(accountId, '1')
  one.scheduler.pump()
  while (one.flying.length > 0) one.end(0, 'success')
  one.order.length = 0
  one.add('large', '1', { bytes: 99_000, times: 100 })
  one.add('small', '1', { bytes: 9_000, times: 100 })
  one.scheduler.pump()
  for (let n = 0; n < 100; n++) one.end(0, 'success')
  const bytesOf = (accountId: string): number =>
    one.order.filter(it => it.accountId === accountId).reduce((sum, it) => sum + it.body.length, 0)
  expect(bytesOf('large') / bytesOf('small')).toBeGreaterThan(0.7)
  expect(bytesOf('large') / bytesOf('small')).toBeLessThan(1.4)
})

test('an account with many endpoints gets the share of one account', () => {
  const { scheduler, add, end, order } = open({ inFlightMax: 4 })
  for (let n = 0; n < 20; n++) add('many', `${n}`, { times: 10 })
  for (let n = 0; n < 40; n++) add('one', '1')
  scheduler.pump()
  for (let n = 0; n < 60; n++) end(0, 'success')
  const first = order.slice(10, 60)
  const ofOne = first.filter(it => it.accountId === 'one').length
  expect(ofOne / first.length).toBeGreaterThan(0.35)
  expect(ofOne / first.length).toBeLessThan(0.65)
})

test('a failing endpoint gets two attempts at a time, and all its slots after a success', () => {
  const { scheduler, add, end, inFlightOf } = open()
  add('a', 'bad', { failuresInRow: 3, times: 30 })
  scheduler.pump()
  expect(inFlightOf('endpointId', 'a/bad')).toBe(2)
  end(0, 'failure')
  expect(inFlightOf('endpointId', 'a/bad')).toBe(2)
  end(0, 'success')
  expect(inFlightOf('endpointId', 'a/bad')).toBe(inFlightPerEndpointMax)
})

test('an endpoint gets only two attempts at a time from its third failure on', () => {
  const { scheduler, add, end, inFlightOf } = open()
  add('a', 'bad', { times: 30 })
  scheduler.pump()
  const inFlight: number[] = []
  for (let n = 0; n < 5; n++) {
    end(0, 'failure')
    inFlight.push(inFlightOf('endpointId', 'a/bad'))
  }
  expect(inFlight).toEqual([4, 4, 3, 2, 2])
})

test('any number of hanging, failing endpoints leaves three quarters of the capacity to others', () => {
  const { scheduler, add, end, flying, inFlightOf } = open()
  add('b', 'good')
  scheduler.pump()
  end(0, 'success')
  for (let n = 0; n < 100; n++) add('a', `bad ${n}`, { failuresInRow: 3, times: 3 })
  scheduler.pump()
  expect(flying).toHaveLength(inFlightMax / 4)
  add('b', 'good', { times: 5 })
  scheduler.pump()
  expect(inFlightOf('endpointId', 'b/good')).toBe(inFlightPerEndpointMax)
  end(inFlightMax / 4, 'success')
  expect(inFlightOf('endpointId', 'b/good')).toBe(inFlightPerEndpointMax)
})

test('an account gets at most half of the capacity while another has pending deliveries, otherwise all', () => {
  const { scheduler, add, end, flying, inFlightOf } = open()
  // all proven
  for (let n = 0; n < 8; n++) add('a', `${n}`)
  for (let n = 0; n < 8; n++) add('b', `${n}`)
  scheduler.pump()
  while (flying.length > 0) end(0, 'success')
  for (let n = 0; n < 8; n++) add('a', `${n}`, { times: 10 })
  scheduler.pump()
  expect(inFlightOf('accountId', 'a')).toBe(inFlightMax)
  for (let n = 0; n < 8; n++) add('b', `${n}`, { times: 3 })
  for (let n = 0; n < inFlightMax / 2; n++) end(0, 'success')
  expect([inFlightOf('accountId', 'a'), inFlightOf('accountId', 'b')]).toEqual([8, 8])
})

test('an account gets at most half of the slots for unproven endpoints', () => {
  const { scheduler, add, flying, inFlightOf } = open()
  for (let n = 0; n < 20; n++) add('a', `new ${n}`, { times: 4 })
  scheduler.pump()
  // half of the half for such endpoints
  expect(inFlightOf('accountId', 'a')).toBe(inFlightMax / 4)
  add('b', 'new')
  scheduler.pump()
  expect(flying).toHaveLength(inFlightMax / 4 + 1)
})

test('capacity counts held deliveries, reserves a part for single events, and is 0 while paused', () => {
  const { scheduler, add } = open()
  const heldMax = 4 * inFlightMax
  expect([scheduler.capacity(true), scheduler.capacity(false)]).toEqual([heldMax, (heldMax * 3) / 4])
  add('a', '1', { times: heldMax / 2 })
  expect([scheduler.capacity(true), scheduler.capacity(false)]).toEqual([heldMax / 2, heldMax / 4])
  expect([scheduler.capacityOfAccount('a'), scheduler.capacityOfAccount('b')]).toEqual([0, heldMax / 2])
  expect(scheduler.capacityOfEndpoint('a/1', 0)).toEqual({ capacity: 0, share: 'unproven' })
  expect(scheduler.capacityOfEndpoint('a/new', 7)).toEqual({ capacity: 2, share: 'failing' })
  scheduler.pause()
  expect(scheduler.capacity(true)).toBe(0)
})

test('a test event starts before what waits for its endpoint, behind earlier test events', () => {
  const { scheduler, add, end, order } = open({ inFlightPerEndpointMax: 1 })
  add('a', '1', { times: 4 })
  scheduler.pump()
  for (const deliveryId of ['test 1', 'test 2'])
    scheduler.add(someDelivery('a', 'a/1', { deliveryId, goesFirst: true }), 0)
  for (let n = 0; n < 5; n++) end(0, 'success')
  expect(order.map(one => one.deliveryId)).toEqual(['0', 'test 1', 'test 2', '1', '2', '3'])
})
