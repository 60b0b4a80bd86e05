import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test('characters that reorder or hide text are made visible; line breaks and tabs stay', () => {
  expect(visibleText('a\u202Egpj.exe\u0000\tb\r\nc\u200B')).toBe('a⟨U+202E⟩gpj.exe⟨U+0000⟩\tb\nc⟨U+200B⟩')
  expect(visibleText('Grüße, 日本 🎺')).toBe('Grüße, 日本 🎺')
})
