import { expect, test } from 'vitest'
import { formatRate } from './rate.ts'

test.each([
  [0, '0/s'],
  [0.05, '3/min'],
  [0.2, '0.2/s'],
  [12.44, '12.4/s'],
  [1_204.4, '1,204/s'],
])('%d per second is shown as %s', (perSecond, shown) => expect(formatRate(perSecond)).toBe(shown))
