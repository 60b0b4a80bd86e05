import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buttonColors, contrast } from './button-colors.ts'

const cards = { light: '#ffffff', dark: '#1c1c20' }

test.each([
  ['#1d4ed8', '#ffffff', false, true],
  ['#ffff00', '#000000', true, false],
  ['#ffffff', '#000000', true, false],
  ['#000000', '#ffffff', false, true],
  ['#777777', '#000000', false, false],
])('%s has text in %s', (color, text, light, dark) => {
  expect(buttonColors(color, cards)).toEqual({ text, needsBorder: { light, dark } })
})

test('text is readable on every color', () => {
  const colors = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colors, color => {
      expect(contrast(color, buttonColors(color, cards).text)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})
