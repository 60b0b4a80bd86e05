import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextFilingInMs } from './filing-pace.ts'

/** How many pages there are at each of twenty filings while so many gather in a second. */
function filings(pagesPerSecond: number): number[] {
  let gatheredMs = 1_000
  return Array.from({ length: 20 }, () => {
    const pages = (pagesPerSecond * gatheredMs) / 1_000
    gatheredMs = nextFilingInMs(pages, gatheredMs)
    return pages
  })
}

test('where next to nothing comes, search keys are filed once a second', () => {
  expect(nextFilingInMs(0, 1_000)).toBe(1_000)
  expect(nextFilingInMs(2, 1_000)).toBe(1_000)
})

test('where much comes, they are filed so often that each but the first filing finds four pages', () => {
  fc.assert(
    fc.property(fc.double({ min: 5, max: 40, noNaN: true }), pagesPerSecond => {
      for (const pages of filings(pagesPerSecond).slice(1)) expect(pages).toBeCloseTo(4)
    }),
  )
})

test('a lull between two filings does not make the next one wait for a second', () => {
  expect(nextFilingInMs(0, 120)).toBe(240)
})

test('never sooner than after a tenth of a second, never later than after one', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.double({ min: 0, max: 1e9, noNaN: true }), (pages, gatheredMs) => {
      const nextMs = nextFilingInMs(pages, gatheredMs)
      expect(nextMs).toBeGreaterThanOrEqual(100)
      expect(nextMs).toBeLessThanOrEqual(1_000)
    }),
  )
})
