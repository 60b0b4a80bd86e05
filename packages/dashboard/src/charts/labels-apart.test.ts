import { expect, test } from 'vitest'
import { apartPx } from './labels-apart.ts'

test('labels that do not touch stay where they are', () => {
  expect(apartPx([10, 60, 90], { gapPx: 12, mostPx: 100 })).toEqual([10, 60, 90])
})

test('overlapping labels are moved apart, in their order and within the chart', () => {
  expect(apartPx([50, 52, 51], { gapPx: 12, mostPx: 200 })).toEqual([50, 74, 62])
  expect(apartPx([98, 99, 97], { gapPx: 12, mostPx: 100 })).toEqual([88, 100, 76])
})
