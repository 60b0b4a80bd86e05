import { expect, test } from 'vitest'
import { preferredLanguage } from './preferred-language.ts'

const available = ['en', 'de', 'fr', 'uk'] as const

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['de-CH-1996', 'de'],
  ['uk-UA, ru;q=0.9, en;q=0.8', 'uk'],
  ['ja, fr;q=0.5', 'fr'],
  ['en;q=0.7, fr;q=0.8', 'fr'],
  ['fr;q=0.3,de;q=0.3', 'fr'],
  ['de;q=0.001, ja', 'de'],
  ['de ; q=0.5 , fr ;Q=0.6', 'fr'],
  // a weight of 0 refuses a language
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de;q=0.000', 'en'],
  ['en;q=0, *', 'de'],
  ['*;q=0.5, fr;q=0.4', 'en'],
  ['*', 'en'],
  // refusing a variant does not refuse the language
  ['de-AT;q=0, de;q=0.5', 'de'],
  // a language whose name begins in the same way is another one
  ['frr, den', 'en'],
  // a wrong weight counts as no wish
  ['de;q=2, fr;q=0.1', 'fr'],
  ['de;q=0.1234, fr;q=0.1', 'fr'],
  ['de;q=-1, fr;q=nan', 'en'],
  ['<script>, de', 'de'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
])('%j gets %s', (header, expected) => {
  expect(preferredLanguage(header, available)).toBe(expected)
})
