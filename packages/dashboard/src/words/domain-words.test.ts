import type { DomainRecord, SendingDomain } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { domainWords } from './domain-words.ts'

test('a new domain says what to do first and reports no failure', () => {
  const words = domainWords(domain({}))
  expect(words).toMatchObject({ tone: 'pending', headline: 'Mail from mail.example.com is not signed yet.' })
  expect(words.facts[0]?.[0]).toContain('Publish the records below')
})

test.each([
  ['missing', 'not in the DNS'],
  ['wrong', 'in the DNS is wrong'],
  ['failed', 'we do not know the state of the records'],
] as const)('a DNS key that is %s is reported, and its mail is called not signed', (state, said) => {
  const words = domainWords(domain({ checked_at: '2026-11-21T03:00:00Z', records: [record('dkim', state)] }))
  expect(words).toMatchObject({ tone: 'failed', word: 'Not signed' })
  expect(words.facts[0]?.[0]).toContain(said)
})

test('mail is called signed once the key is found; other records to fix are counted', () => {
  const signed = { verified_at: '2026-11-21T03:00:00Z', checked_at: '2026-11-21T03:00:00Z' }
  expect(domainWords(domain({ ...signed, records: [record('dkim', 'right')] }))).toMatchObject({
    tone: 'delivered',
    word: 'Signed',
  })
  const records = [record('dkim', 'right'), record('dmarc', 'missing'), record('return_path_mx', 'failed')]
  expect(domainWords(domain({ ...signed, records }))).toMatchObject({
    tone: 'failed',
    headline: 'Mail from mail.example.com is signed; 1 record to fix.',
  })
})

function domain(input: Partial<SendingDomain>): SendingDomain {
  return {
    id: 'dom_01kb3vqzxxe1x9v5x7c4d2q7m2',
    name: 'mail.example.com',
    dkim_selector: 'ph1',
    return_path_domain: null,
    link_host: null,
    records: [record('dkim', 'unchecked')],
    verified_at: null,
    return_path_verified_at: null,
    link_host_verified_at: null,
    checked_at: null,
    created_at: '2026-11-21T02:00:00Z',
    ...input,
  }
}

function record(purpose: DomainRecord['purpose'], state: DomainRecord['state']): DomainRecord {
  return {
    purpose,
    required: purpose === 'dkim',
    type: 'TXT',
    name: 'ph1._domainkey.mail.example.com',
    value: 'v=DKIM1; p=…',
    why: 'So that receivers can check our signature.',
    state,
    found: [],
    message: null,
  }
}
