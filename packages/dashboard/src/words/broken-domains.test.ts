import type { SendingDomain } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { brokenDomains } from './broken-domains.ts'

const at = '2026-11-20T10:00:00.000Z'

function domain(
  name: string,
  state: 'right' | 'wrong' | 'missing',
  more: Partial<SendingDomain> = {},
): SendingDomain {
  const record: SendingDomain['records'][number] = {
    purpose: 'dkim',
    required: true,
    type: 'TXT',
    name: `p1._domainkey.${name}`,
    value: 'v=DKIM1',
    why: 'It signs.',
    state,
    found: [],
    message: state === 'right' ? null : 'The DKIM key is wrong.',
  }
  return {
    id: `dom_${name}`,
    name,
    dkim_selector: 'p1',
    return_path_domain: null,
    link_host: null,
    records: [record],
    verified_at: at,
    return_path_verified_at: null,
    link_host_verified_at: null,
    checked_at: at,
    created_at: at,
    ...more,
  }
}

test('a domain is broken if its last check found a wrong record', () => {
  const [broken, ...others] = brokenDomains([domain('a.test', 'right'), domain('b.test', 'wrong')])
  expect(others).toEqual([])
  expect(broken).toMatchObject({ id: 'dom_b.test', detail: 'The DKIM key is wrong.' })
})

test('domains that are not signed come first, and a new one without a check is not broken', () => {
  const found = brokenDomains([
    domain('signed.test', 'wrong'),
    domain('not-signed.test', 'missing', { verified_at: null }),
    domain('new.test', 'missing', { verified_at: null, checked_at: null }),
  ])
  expect(found.map(({ name }) => name)).toEqual(['not-signed.test', 'signed.test'])
})

test('a missing record that we do not need breaks nothing', () => {
  const { records, ...rest } = domain('a.test', 'missing')
  expect(
    brokenDomains([{ ...rest, records: records.map(record => ({ ...record, required: false })) }]),
  ).toEqual([])
})
