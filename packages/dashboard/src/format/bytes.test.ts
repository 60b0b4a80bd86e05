import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_250_000, '1.3 MB'],
  [3_400_000_000_000_000, '3,400 TB'],
])('%d bytes are shown as %s', (bytes, shown) => expect(formatBytes(bytes)).toBe(shown))
