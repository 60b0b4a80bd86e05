import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classify } from '../../src/domain/classify/classify.ts'
import { readBounceText } from '../../src/domain/bounce-text/read-bounce-text.ts'
import { textSamples } from './text-samples.ts'

const recipient = 'ann@example.org'

function verdict(subject: string, from: string, text: string) {
  const found = readBounceText({ subject, from, text }, recipient)
  if (found.kind !== 'refused') return null
  return classify({
    disposition: 'permanent',
    timing: 'asynchronous',
    recipient,
    recipientDomain: 'example.org',
    isForwarded: found.forwarded !== null,
    ...(found.stage !== null && { stage: found.stage }),
    ...(found.statement !== null && { statement: found.statement }),
    reply: { text: found.text },
  })
}

test.each(textSamples)(
  'a bounce in words is read: $form',
  ({ subject, from = 'mx.sender.example', text, expect: event, reason }) => {
    const found = verdict(subject, from, text)
    expect([found?.event ?? 'none', found?.reason]).toEqual([event, reason ?? found?.reason])
  },
)

const dead = '<ann@example.org>: 550 5.1.1 User unknown'

test.each([
  ['long lines', 'x'.repeat(1_999)],
  ['short lines', 'x'],
])('only the beginning of a long text with %s is read', (_, line) => {
  const verdictAfter = (lines: number) =>
    verdict('failure notice', '', `${`${line}\n`.repeat(lines)}\n${dead}`)
  expect(verdictAfter(30)?.event).toBe('email.bounced')
  expect(verdictAfter(Math.min(2_000, Math.ceil(65_536 / line.length)))?.event).toBe('email.failed')
})

test.each([
  '(',
  '<',
  '>>> ',
  '550 ',
  '550-',
  '5.1.1 ',
  'ann@example.org ',
  'ann@example.org:\n',
  'a@',
  ' ',
  '\n ',
  '\n550 x',
  'not ',
  'é',
  '=?utf-8?q?',
  '. ',
])('a megabyte of %j is read without an error', what => {
  const text = `${dead}\n${what.repeat(1_048_576 / what.length)}`
  expect(verdict('failure notice', '', text)?.event).toMatch(/^email\.(?:bounced|failed)$/)
  expect(() => verdict(text, text, what.repeat(100_000))).not.toThrow()
})

test('any text is read without an error, and nothing is said about it if it speaks of no delivery', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('550', '5.1.1', 'ann@example.org', 'unknown user', '\n', ': ', '<', '>'),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), words => {
      const found = readBounceText({ subject: 'Hello', from: 'Ann', text: words.join(' ') }, recipient)
      if (found.kind === 'refused') expect(found.text.length).toBeLessThanOrEqual(65_536)
    }),
  )
})

test.each([
  ['RCPT TO:<dead@old.example.net>:\n    550 User unknown', 'dead@old.example.net'],
  ['550 5.1.1 <dead@old.example.net>: User unknown', undefined],
  ['forwarded to:\n\ndead@old.example.net\n550 User unknown', 'dead@old.example.net'],
])('a reply about another address bounces nobody: %j', (text, to) => {
  const found = readBounceText(
    { subject: 'failure notice', from: '', text: `ann@example.org\n${text}` },
    recipient,
  )
  expect(verdict('failure notice', '', `ann@example.org\n${text}`)).toMatchObject({
    event: 'email.failed',
    reason: 'forward_failed',
  })
  if (to !== undefined && found.kind === 'refused') expect(found.forwarded?.to ?? to).toBe(to)
})
