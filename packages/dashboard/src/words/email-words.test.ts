import { expect, test } from 'vitest'
import { replySource, replyText, stageOf, worstState } from './email-words.ts'

test('a list shows the worst recipient state and how many recipients share it', () => {
  const none = { queued: 0, handed_over: 0, delivered: 0, bounced: 0, failed: 0 }
  expect(worstState({ ...none, delivered: 2, bounced: 1 })).toEqual({ state: 'bounced', share: '1 of 3' })
  expect(worstState({ ...none, delivered: 2 })).toEqual({ state: 'delivered', share: null })
})

test('a reply shows its codes only once', () => {
  const reply = { code: 550, enhanced_code: '5.1.1' }
  expect(replyText({ ...reply, message: 'No such user' })).toBe('550 5.1.1 No such user')
  expect(replyText({ ...reply, message: '550 5.1.1 No such user' })).toBe('550 5.1.1 No such user')
  expect(replyText({ ...reply, code: null, enhanced_code: null, message: 'Expired' })).toBe('Expired')
})

test('a reply names its source and its stage, if known', () => {
  const reply = { code: 550, enhanced_code: null, message: 'no' }
  const remote = { name: 'mx.example.org', ip: '192.0.2.1' }
  expect(replySource({ ...reply, command: 'RCPT TO', remote_mta: remote }, true)).toBe(
    'by mx.example.org [192.0.2.1] when the recipient was named (RCPT TO)',
  )
  expect(replySource({ ...reply, command: 'VRFY' }, true)).toBe('by our mail server at VRFY')
  expect(replySource(reply, false)).toBeNull()
  expect(stageOf('signing')).toBe('while it was signed')
  expect(stageOf('elsewhere')).toBeNull()
})
