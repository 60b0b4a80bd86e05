import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { ReportsUnderWay } from './reports-under-way.ts'

test('a caller whose oldest report is unanswered for too long is rejected; other callers are not', () => {
  let nowMs = 0
  const underWay = new ReportsUnderWay({ monotonicMs: () => nowMs })
  const oldest = underWay.begin('a')
  nowMs += 3_000
  const second = underWay.begin('a')
  nowMs += 1
  expect(() => underWay.begin('a')).toThrow(AppError)
  underWay.begin('b')
  oldest[Symbol.dispose]()
  underWay.begin('a')
  nowMs += 2_999
  underWay.begin('a')
  nowMs += 1
  expect(() => underWay.begin('a')).toThrow('Repeat the request after a second')
  second[Symbol.dispose]()
  underWay.begin('a')
})
