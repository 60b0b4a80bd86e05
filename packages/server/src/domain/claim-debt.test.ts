import { expect, test } from 'vitest'
import { ClaimDebt } from './claim-debt.ts'

test('claims that take twice what is left to them may rest', () => {
  const debt = new ClaimDebt()
  expect(debt.mayRest).toBe(true)
  debt.left(100)
  debt.claimed(199)
  expect(debt.mayRest).toBe(false)
  debt.claimed(1)
  expect(debt.mayRest).toBe(true)
})

test('claiming more than that is no credit: what is left afterwards is owed', () => {
  const debt = new ClaimDebt()
  debt.claimed(10_000)
  debt.left(1)
  expect(debt.mayRest).toBe(false)
})

test('what could not be claimed for a long time is soon made up for', () => {
  const debt = new ClaimDebt()
  for (let second = 0; second < 600; second++) debt.left(1_500)
  for (let claims = 0; claims < 10; claims++) debt.claimed(500)
  expect(debt.mayRest).toBe(true)
})
