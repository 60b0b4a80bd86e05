import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { domainRecords } from '../../src/domain/domain-records.ts'
import { foldedAddress } from '../../src/domain/folded-address.ts'
import { checkOwnHost } from '../../src/domain/check-own-host.ts'
import { checkDkimRecord } from '../../src/domain/check-dkim-record.ts'
import { dmarcDomains, checkDmarcRecord } from '../../src/domain/check-dmarc-record.ts'
import { checkReturnPathMx, checkReturnPathSpf } from '../../src/domain/check-return-path.ts'
import { serverList } from '../../src/domain/server-list.ts'
import { suppressionCause } from '../../src/domain/suppression.ts'

const key = `MIIBIjANBgkqhkiG9w0BAQ${'A'.repeat(370)}`
const at = 's1._domainkey.acme.example'
const texts = fc.array(
  fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('v=DKIM1; p=', 'v=spf1', 'v=DMARC1; p=none')),
)
const facts = {
  name: 'acme.example',
  selector: 's1',
  publicKey: key,
  returnPathDomain: 'bounces.acme.example',
  linkHost: 'links.acme.example',
}
const operator = (host: string) => ({ returnPath: { domain: 'b.posthorn.example', host }, publicHost: host })

describe('checks of published DNS records', () => {
  test('only our own key passes, and no published text makes a check throw', () => {
    fc.assert(
      fc.property(texts, values => {
        const answer = values.length === 0 ? { kind: 'none' as const } : { kind: 'found' as const, values }
        const finding = checkDkimRecord(at, key, { at: answer, atDoubled: answer })
        expect(finding.state).not.toBe('right')
        expect(finding.message).not.toBe('')
        const [, , own, link, mx, spf] = domainRecords(facts, operator('mx.acme.example'))
        if (!own || !link || !mx || !spf) throw new Error('no records for the return path')
        for (const record of [own, link])
          expect(checkOwnHost(record, facts.name, { at: answer, atDoubled: answer }).state).not.toBe('right')
        expect(checkReturnPathMx(mx, answer).state).not.toBe('right')
        expect(checkReturnPathSpf(spf, answer).state).not.toBe('right')
        checkDmarcRecord('acme.example', [{ domain: 'acme.example', answer }])
      }),
    )
  })

  test('our key passes with whitespace wherever DNS software may insert it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: key.length })),
        fc.constantFrom(' ', '\t', '  '),
        (places, blank) => {
          const spaced = key
            .split('')
            .map((character, index) => (places.includes(index) ? blank : '') + character)
          const values = [`v=DKIM1;${blank}k=rsa;${blank}p=${spaced.join('')};`]
          const answer = { kind: 'found' as const, values }
          expect(checkDkimRecord(at, key, { at: answer, atDoubled: answer }).state).toBe('right')
        },
      ),
    )
  })

  test('DMARC is looked up at the domain and at most seven parents, never at a top-level domain', () => {
    expect(dmarcDomains('acme.example')).toEqual(['acme.example'])
    expect(dmarcDomains('a.b.acme.example')).toEqual(['a.b.acme.example', 'b.acme.example', 'acme.example'])
    expect(dmarcDomains(`${'a.'.repeat(120)}example`)).toHaveLength(8)
  })

  test('no record names a host without a DNS name', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(domainRecords(facts, operator(host)).map(({ purpose }) => purpose)).toEqual([
        'dkim',
        'dmarc',
        'return_path_cname',
      ])
    }
  })
})

describe('addresses', () => {
  test('folding an address twice changes nothing more, and case does not matter', () => {
    fc.assert(
      fc.property(fc.emailAddress(), address => {
        const folded = foldedAddress(address)
        expect(foldedAddress(folded)).toBe(folded)
        expect(foldedAddress(address.toUpperCase())).toBe(folded)
      }),
    )
  })

  test('a text that is not an address is folded without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(typeof foldedAddress(text)).toBe('string')
      }),
    )
  })

  test.each([
    ['Ann@Example.ORG', 'ann@example.org'],
    ['"ann"@example.org', 'ann@example.org'],
    ['"a\\"b"@example.org', 'a"b@example.org'],
    ['ann@münchen.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@example.org.', 'ann@example.org'],
    ['jose\u0301@example.org', 'jos\u00e9@example.org'],
    ['ann+a@example.org', 'ann+a@example.org'],
  ])('%s folds to %s', (address, folded) => expect(foldedAddress(address)).toBe(folded))
})

test('a bounce or unsubscribe suppresses its first recipient, and other events suppress nobody', () => {
  const types = fc.constantFrom('email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed')
  const data = fc.record({
    email_id: fc.string(),
    to: fc.array(fc.string()),
    occurred_at: fc.string(),
    bounce: fc.anything(),
    unsubscribe: fc.anything(),
  })
  fc.assert(
    fc.property(types, data, (type, given) => {
      const cause = suppressionCause(type, given)
      const mayNot = type === 'email.delivered' || type === 'email.failed' || given.to.length === 0
      expect(cause === null).toBe(mayNot)
      if (cause !== null) expect(cause.address).toBe(given.to[0])
    }),
  )
})

test('name servers are IP addresses with or without a port', () => {
  const text = '192.0.2.53, 192.0.2.54:5353,[2001:db8::53]:53,[2001:db8::1],2001:db8::2'
  expect(serverList(text)).toEqual(text.split(',').map(part => part.trim()))
  for (const wrong of [
    '',
    'dns.example',
    '192.0.2.53:0',
    '192.0.2.53:70000',
    '[192.0.2',
    '1.2.3',
    '1.2.3.4,',
  ]) {
    expect(() => serverList(wrong), wrong).toThrow('is not an IP address')
  }
})
