import { expect, test } from 'vitest'
import { readLabelledSet } from './labelled-set.ts'
import { measure } from './measure.ts'

test('on real bounce mails hardly a bounce is wrong, and few are missed', async () => {
  const measured = await measure(readLabelledSet())
  expect(measured.rows).toBeGreaterThan(200)
  expect(measured.precision).toBeGreaterThanOrEqual(0.98)
  expect(measured.recall).toBeGreaterThanOrEqual(0.92)
})
