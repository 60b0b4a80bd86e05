import { expect, test } from 'vitest'
import { halfHiddenAddress } from './half-hidden-address.ts'

test.each([
  ['ann@example.org', 'a•••@example.org'],
  ['a@example.org', '•••@example.org'],
  ['ab@example.org', 'a•••@example.org'],
  ['Åsa.Öberg@exämple.se', 'Å•••@exämple.se'],
  ['"a@b"@example.org', '"•••@example.org'],
  // a character outside the basic plane stays whole
  ['𝒜nn@example.org', '𝒜•••@example.org'],
])('%s is shown as %s', (address, shown) => {
  expect(halfHiddenAddress(address)).toBe(shown)
})
