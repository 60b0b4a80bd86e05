import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextFilingInMs } from './filing-pace.ts'

/** How many pages there are at each of twenty filings while so many gather in a second. */
function filings(pagesPerSecond: number, isNoticed: boolean): number[] {
  let gatheredMs = 1_000
  return Array.from({ length: 20 }, () => {
    const pages = (pagesPerSecond * gatheredMs) / 1_000
    gatheredMs = nextFilingInMs(pages, gatheredMs, isNoticed)
    return pages
  })
}

test('where next to nothing comes, search keys are filed once a second', () => {
  expect(nextFilingInMs(0, 1_000, true)).toBe(1_000)
  expect(nextFilingInMs(2, 1_000, false)).toBe(1_000)
})

test('where much comes, they are filed so often that each but the first filing finds four pages', () => {
  fc.assert(
    fc.property(fc.double({ min: 5, max: 40, noNaN: true }), pagesPerSecond => {
      for (const pages of filings(pagesPerSecond, true).slice(1)) expect(pages).toBeCloseTo(4)
    }),
  )
})

test('where nobody reports a few events at a time, as many gather as come in two fifths of a second', () => {
  for (const pages of filings(400, false).slice(2)) expect(pages).toBe(160)
})

test('a lull between two filings does not make the next one wait for a second', () => {
  expect(nextFilingInMs(0, 120, true)).toBe(240)
})

test('never sooner than after a tenth of a second, never later than after one', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.boolean(),
      (pages, gatheredMs, isNoticed) => {
        const nextMs = nextFilingInMs(pages, gatheredMs, isNoticed)
        expect(nextMs).toBeGreaterThanOrEqual(100)
        expect(nextMs).toBeLessThanOrEqual(1_000)
      },
    ),
  )
})
