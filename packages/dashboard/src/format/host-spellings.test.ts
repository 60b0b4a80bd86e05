import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { hostSpellings } from './host-spellings.ts'

test.each(['еxample.com', 'bücher.example', 'пример.рф', '日本語.jp', 'a.münchen.例え.test', '☃.net'])(
  '%s is shown in both spellings, whichever was typed',
  unicode => {
    const ascii = domainToASCII(unicode)
    expect(hostSpellings(`https://${unicode}/in`)).toEqual({ ascii, unicode })
    expect(hostSpellings(`https://${ascii}/in`)).toEqual({ ascii, unicode })
  },
)

test.each(['https://example.com/ü', 'https://xn.example.com', 'no URL', ''])('%s has one spelling', url => {
  expect(hostSpellings(url)).toBeNull()
})
