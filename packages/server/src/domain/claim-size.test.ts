import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClaimSize } from './claim-size.ts'

test('a claim takes at most five hundred, and less once one takes too long', () => {
  const size = new ClaimSize()
  size.took(500, 500, 80)
  expect(size.max).toBe(500)
  size.took(500, 500, 1_600)
  expect(size.max).toBe(62)
})

test('it grows again as soon as full claims are quick', () => {
  const size = new ClaimSize()
  size.took(500, 500, 1_600)
  size.took(50, 50, 20)
  expect(size.max).toBe(62)
  size.took(62, 62, 20)
  size.took(124, 124, 20)
  expect(size.max).toBe(248)
})

test('it grows also where little of what it asks for is there', () => {
  const size = new ClaimSize()
  size.took(500, 20, 1_600)
  expect(size.max).toBe(2)
  for (let round = 0; round < 10; round++) size.took(size.max, 1, 5)
  expect(size.max).toBe(500)
})

test('where little of what it asks for is there, it asks more endpoints for less each', () => {
  const size = new ClaimSize()
  expect(size.ofEach).toBe(500)
  size.took(500, 260, 5)
  expect(size.ofEach).toBe(500)
  size.took(500, 20, 5)
  expect(size.ofEach).toBe(20)
})

test('where all of it is there, it soon asks one endpoint for all that a claim may take', () => {
  const size = new ClaimSize()
  size.took(500, 0, 5)
  for (const ofEach of [40, 80, 160, 320, 500, 500]) {
    size.took(100, 100, 5)
    expect(size.ofEach).toBe(ofEach)
  }
})

test('a round that asks nobody says nothing about how much endpoints have', () => {
  const size = new ClaimSize()
  size.took(500, 0, 5)
  size.took(0, 0, 0)
  expect(size.ofEach).toBe(20)
})

test('however slow the database is for each row, claims become short enough or as small as can be', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 2_000, noNaN: true }), msPerRow => {
      const size = new ClaimSize()
      let durationMs = 0
      for (let round = 0; round < 20; round++) {
        const claimed = Math.min(2_000, size.max)
        durationMs = claimed * msPerRow
        size.took(claimed, claimed, durationMs)
      }
      expect(Math.min(2_000, size.max) * msPerRow <= 800 || size.max === 1).toBe(true)
    }),
  )
})
