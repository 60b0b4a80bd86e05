import { expect, test } from 'vitest'
import {
  beforeWords,
  bounceRate,
  complaintRate,
  ratePartsWords,
  rateState,
  rateWords,
  unsubscribeRate,
} from './outcome-rates.ts'

const counts = { delivered: 14_780, bounced: 312, failed: 112, unsubscribed: 90, complaints: 12 }
const nothing = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }
const limits = { warning: 0.02, risk: 0.05 }

test('a rate is shown with its numbers, and small rates with two digits', () => {
  expect(rateWords(bounceRate(counts))).toBe('2.1%')
  expect(ratePartsWords(bounceRate(counts))).toBe('312 of 15,204')
  expect(rateWords(complaintRate(counts))).toBe('0.08%')
  expect(ratePartsWords(complaintRate(counts))).toBe('12 of 14,780')
  expect(rateWords(unsubscribeRate(counts))).toBe('0.61%')
})

test('no rounding hides the last bounce or the last delivery', () => {
  expect(rateWords({ count: 1, of: 1_000_000 })).toBe('<0.01%')
  expect(rateWords({ count: 999_999, of: 1_000_000 })).toBe('99.9%')
  expect(rateWords({ count: 0, of: 5 })).toBe('0%')
  expect(rateWords({ count: 5, of: 5 })).toBe('100%')
})

test('without a denominator there is no rate and no state', () => {
  expect(rateWords(bounceRate(nothing))).toBe('—')
  expect(rateState(bounceRate(nothing), limits)).toBeNull()
})

test('a rate needs attention above a limit, not at it', () => {
  expect(rateState({ count: 2, of: 100 }, limits)).toBe('good')
  expect(rateState({ count: 21, of: 1_000 }, limits)).toBe('warning')
  expect(rateState({ count: 5, of: 100 }, limits)).toBe('warning')
  expect(rateState({ count: 51, of: 1_000 }, limits)).toBe('risk')
})

test('a rate is judged only if one email alone cannot exceed the limit', () => {
  expect(rateState({ count: 1, of: 14 }, limits)).toBeNull()
  expect(rateState({ count: 3, of: 49 }, limits)).toBeNull()
  expect(rateState({ count: 3, of: 50 }, limits)).toBe('risk')
  expect(rateState({ count: 1, of: 75 }, { warning: 0.0008, risk: 0.001 })).toBeNull()
})

test('the period before is named, or why there is no number', () => {
  expect(beforeWords({ ...counts, bounced: 210 }, bounceRate)).toBe('before 1.4%')
  expect(beforeWords(nothing, bounceRate)).toBe('before: no emails')
  expect(beforeWords(null, bounceRate)).toBe('')
  expect(beforeWords(undefined, bounceRate)).toBe('')
})
