import { expect, test } from 'vitest'
import type { Classification } from '../../../src/domain/classify/classification.ts'
import { classify } from '../../../src/domain/classify/classify.ts'

const said = (text: string, remoteMta?: string): Classification => classify({ reply: { text }, remoteMta })

test.each([
  '550 User unknown',
  '550 Unknown user',
  '550 <ann@example.org>: Recipient unknown',
  '550 5.0.0 <ann@example.org>... No such user here',
  '550 sorry, no mailbox here by that name. (#5.1.1)',
  '550 Mailbox does not exist',
  '550 The email account that you tried to reach does not exist.',
  '550 ann@example.org is no longer valid',
  '550 Invalid recipient ann@example.org',
  '550 not our customer',
  '550 Not a valid mailbox',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  '550 Recipient address rejected: undeliverable address',
  '550 user ann (ann@example.org) not listed in Domino Directory',
  '550 Requested action not taken: mailbox unavailable',
  '550 5.5.0 Requested action not taken: mailbox unavailable. [mx.example.org]',
  "554 5.5.4 delivery error: This user doesn't have a example.org account",
  '550 5.7.1 <ann@example.org>: Recipient address rejected: User unknown',
  '550 The address is not on file',
  "550 This address isn't in use",
  '550 ann@example.org does not match any mailbox',
  '550 Nobody here by that name',
  '550 RCPT_NOT_EXIST',
  '550 USER_UNKNOWN',
  '550 Destinataire inconnu',
  "550 L'adresse du destinataire est invalide",
  '550 Utilisateur inconnu',
  '550 No existe ese usuario',
  '550 Empfänger unbekannt',
  '550 Usuário inexistente',
  '550 Utente sconosciuto',
  '550 Gebruiker onbekend',
  '550 Пользователь не найден',
  '550 宛先が見つかりません',
])('the mailbox does not exist: %s', text => {
  expect(said(text)).toMatchObject({ event: 'email.bounced', reason: 'invalid_recipient' })
})

test.each([
  ['550 This account has been disabled', 'mailbox_disabled'],
  ['550 Mailbox is frozen', 'mailbox_disabled'],
  ['550 The account has been removed', 'mailbox_disabled'],
  ['550 Recipient is inactive', 'mailbox_disabled'],
  ['550 5.2.1 The email account that you tried to reach is disabled', 'mailbox_disabled'],
  ['550 5.2.1 <ann@example.org>... User Unknown', 'invalid_recipient'],
  ['525 5.7.13 Disabled recipient address', 'mailbox_disabled'],
  ['550 recipient no longer on server: ann@example.org', 'recipient_moved'],
  ['550 The mailbox has moved', 'recipient_moved'],
  ['550 #5.1.0 Address rejected.', 'invalid_recipient'],
])('%s → %s', (text, reason) => {
  expect(said(text)).toMatchObject({ event: 'email.bounced', reason })
})

test.each([
  ['550 5.1.1 User is over quota', 'mailbox_full'],
  ['550 MAILBOX_FULL', 'mailbox_full'],
  ['552 5.1.1 Boite du destinataire pleine', 'mailbox_full'],
  [
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents delivery',
    'rate_limited',
  ],
  ['550 5.1.1 the sender has sent to too many recipients this hour', 'rate_limited'],
  ['550 5.7.1 too many messages', 'rate_limited'],
  ['553 5.1.3 http://www.spamhaus.org/query/bl?ip=192.0.2.7', 'ip_blocked'],
  ['550 5.1.1 IP address blacklisted by recipient', 'ip_blocked'],
  ['550 5.2.1 client host rejected: user invalid', 'ip_blocked'],
  ['550 5.1.1 very low reputation of the sending domain', 'reputation_blocked'],
  ['550 5.1.1 Message looks like spam', 'spam_rejected'],
  ['550 5.1.1 virus found', 'virus_detected'],
  ['550 5.1.1 message rejected', 'content_rejected'],
  ['550 5.7.1 message filtered', 'content_rejected'],
  ['550 5.1.1 DMARC check failed for user', 'authentication_failed'],
  ['550 5.1.1 SPF check failed', 'authentication_failed'],
  ['550 5.1.1 no PTR record', 'authentication_failed'],
  ['550 5.1.1 Sender address rejected: user unknown', 'sender_rejected'],
  ['550 5.1.0 invalid sender', 'sender_rejected'],
  ['553 5.1.1 Relaying disallowed', 'relay_denied'],
  ['550 5.1.1 unable to relay for ann@example.org', 'relay_denied'],
  ['552 5.1.1 message too large', 'message_too_large'],
  ['550 5.1.2 Tried all MXs', 'connection_failed'],
  ['550 5.1.1 conversation with mx.example.org timed out', 'connection_timeout'],
  ['550 5.1.1 lost connection', 'connection_lost'],
  ['554 5.1.1 mail loops back to myself', 'routing_loop'],
  ['554 5.1.1 too many hops', 'routing_loop'],
])('the text outweighs the code: %s', (text, reason) => {
  expect(said(text)).toMatchObject({ event: 'email.failed', reason, rule: `veto:${reason}` })
})

test.each([
  '550 5.1.1 User unknown, temporarily',
  '550 5.1.1 Greylisted, user unknown',
  '550 5.1.1 User unknown; try again later',
  '550 5.1.1 User unknown (4.1.1)',
  '550 5.1.1 <ann@example.org>: Recipient address rejected: unverified address: Address verification in progress',
])('a reply that may be temporary is not a bounce, and is retried: %s', text => {
  expect(said(text)).toMatchObject({ event: 'email.failed', data: { failure: { retryable: true } } })
})

test('a reply that asks to check the address and try again is still a bounce', () => {
  expect(said('550 5.1.1 User unknown. Please check the address and try again.').event).toBe('email.bounced')
})

test.each([
  '550 User unknown or access denied',
  '550 User unknown according to policy',
  '550 Invalid recipient: prohibited',
])('a weak word overrides the text but not an enhanced status code: %s', text => {
  expect(said(text)).toMatchObject({ event: 'email.failed', rule: 'weak_veto' })
  expect(said(text.replace('550', '550 5.1.1')).event).toBe('email.bounced')
})

test.each([
  '550 5.1.1 <spamtrap@blacklist.example>: User unknown',
  '550 5.1.1 User unknown in relay.spam-quota.example.com',
  'host relay.example.org[192.0.2.1] said: 550 5.1.1 <quota@example.org>: User unknown (in reply to RCPT TO command)',
])('names prove nothing: %s', text => {
  expect(said(text)).toMatchObject({ event: 'email.bounced' })
})

test('Exchange Online’s own wording for an unknown recipient counts only at Exchange Online', () => {
  const text = '550 5.4.1 Recipient address rejected: Access denied'
  expect(said(text, 'x.mail.protection.outlook.com')).toMatchObject({
    event: 'email.bounced',
    rule: 'exchange_online_5.4.1',
  })
  expect(said(text, 'mx.example.org')).toMatchObject({
    event: 'email.failed',
    data: { failure: { reason: 'access_denied' } },
  })
  expect(said('550 5.4.1 Access denied').event).toBe('email.failed')
})

test('the failure names the block list', () => {
  const text = '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org'
  expect(said(text)).toMatchObject({
    data: { failure: { reason: 'ip_blocked', blocklist: 'zen.spamhaus.org', retryable: true } },
  })
})
