import { expect, test } from 'vitest'
import { deliveryTransitions, nextDeliveryState, type DeliveryState } from './delivery-state.ts'

const states: DeliveryState[] = ['pending', 'failed', 'delivered', 'exhausted']

test('each state and trigger leads to at most one state', () => {
  for (const transition of deliveryTransitions) {
    const rivals = deliveryTransitions.filter(
      other =>
        other !== transition &&
        other.from === transition.from &&
        other.trigger === transition.trigger &&
        (other.wasDelivered === null ||
          transition.wasDelivered === null ||
          other.wasDelivered === transition.wasDelivered),
    )
    expect(rivals, `${transition.from} on ${transition.trigger}`).toEqual([])
  }
})

test('exhausted always has a reason, and no other state has one', () => {
  for (const { to, reason } of deliveryTransitions) expect(reason !== null).toBe(to === 'exhausted')
})

test('pending and failed allow the same triggers, except that a pending delivery cannot be retried or replayed', () => {
  for (const { trigger } of deliveryTransitions) {
    for (const wasDelivered of [false, true]) {
      const ofFailed = nextDeliveryState('failed', trigger, { wasDelivered })
      const setBack = trigger === 'manual_retry' || trigger === 'replay'
      expect(nextDeliveryState('pending', trigger, { wasDelivered })).toEqual(setBack ? undefined : ofFailed)
    }
  }
})

test('a delivery that was once acknowledged is never exhausted', () => {
  for (const from of states) {
    for (const { trigger } of deliveryTransitions) {
      expect(nextDeliveryState(from, trigger, { wasDelivered: true })?.state).not.toBe('exhausted')
    }
  }
})

test('an acknowledged delivery changes state only by a manual retry or a replay', () => {
  const leaving = deliveryTransitions.filter(t => t.from === 'delivered').map(t => t.trigger)
  expect(leaving).toEqual(['manual_retry', 'replay'])
})

test('a late success counts for an exhausted delivery', () => {
  expect(nextDeliveryState('exhausted', 'attempt_succeeded', { wasDelivered: false })).toEqual({
    state: 'delivered',
    reason: null,
  })
})

test('a manual retry is allowed from every state except pending', () => {
  const allowed = states.filter(from => nextDeliveryState(from, 'manual_retry', { wasDelivered: false }))
  expect(allowed).toEqual(['failed', 'delivered', 'exhausted'])
})
