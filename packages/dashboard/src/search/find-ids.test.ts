import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findIds, type Wanted } from './find-ids.ts'

const suffix = '01kb3vqzxxe1x9v5x7c4d2q7m2'
const dlv = `dlv_${suffix}`
const evt = `evt_${suffix}`

describe('what people paste', () => {
  test.each<[string, string, Wanted['kind'], string]>([
    ['an id', dlv, 'delivery', dlv],
    ['an id in quotes', `"${evt}",`, 'event', evt],
    ['a header', `X-Service-Delivery-Id: ${dlv}`, 'delivery', dlv],
    ['a log line', `2026-11-21T03:04:40Z POST /in 500 id=${dlv} event=${evt} 48ms`, 'delivery', dlv],
    ['an address of this page', `https://posthorn.example/deliveries/${dlv}?state=failed#x`, 'delivery', dlv],
    [
      'the body of an event',
      `{"id":"${evt}","type":"email.bounced","data":{"email_id":"em_1"}}`,
      'event',
      evt,
    ],
    ['a body that was cut off', `{ "id" : "${evt}", "type":"email.boun`, 'event', evt],
    ['a delivery as the API shows it', `{"id":"${dlv}","event_id":"${evt}"}`, 'delivery', dlv],
    ['an email id', 'em_mail160', 'email', 'em_mail160'],
    ['an email id in a line', 'bounced em_01kb-a_b, retried', 'email', 'em_01kb-a_b'],
    ['an email id of another system', '<20261121.4AF@mta1>', 'recipient', '20261121.4AF@mta1'],
    ['any other email id', 'ABC-123/4', 'email', 'ABC-123/4'],
    ['a key of an endpoint', `whk_${suffix}`, 'signing_key', `whk_${suffix}`],
    ['an endpoint', `wh_${suffix}`, 'endpoint', `wh_${suffix}`],
    ['a replay', `rpl_${suffix}`, 'replay', `rpl_${suffix}`],
    ['an account', `acct_${suffix}`, 'account', `acct_${suffix}`],
    ['a recipient', 'ann@example.org', 'recipient', 'ann@example.org'],
    ['a recipient with a name', '"Ann B." <ann@example.org>', 'recipient', 'ann@example.org'],
    [
      'a recipient in a mail log',
      'A4F: to=<ann+x=y@example.org>, relay=mx',
      'recipient',
      'ann+x=y@example.org',
    ],
    ['a recipient in key and value', 'status=bounced to=ann@example.org.', 'recipient', 'ann@example.org'],
    ['a recipient in an encoded value', 'recipient=ann%40example.org', 'recipient', 'ann@example.org'],
    ['the URL of an endpoint', 'https://hooks.acme.test/posthorn', 'url', 'https://hooks.acme.test/posthorn'],
    ['a sequence number', '#1,042', 'sequence', '1042'],
  ])('%s', (_, pasted, kind, value) => {
    expect(findIds(pasted)[0]).toMatchObject({ kind, values: [value] })
  })

  test('several ids of the same kind are all found, each once', () => {
    const other = evt.replace('q7m2', 'q7m3')
    expect(findIds(`${evt}\n${other}\n${evt}`)[0]).toEqual({ kind: 'event', values: [evt, other] })
  })

  test('other kinds of id follow the first, in case it no longer exists', () => {
    expect(findIds(`${dlv} ${evt} to ann@example.org`).map(({ kind }) => kind)).toEqual([
      'delivery',
      'event',
      'recipient',
    ])
  })

  test('nothing is found in an empty text or a plain sentence', () => {
    expect(findIds('  ')).toEqual([])
    expect(findIds('why did it fail')).toEqual([])
  })

  test('a secret is never taken for an email id', () => {
    for (const secret of ['whsec_9fKq2vJ', 'phk_TWsjuwf0', '"pha_8b82d58"', 'secret=phs_a1'])
      expect(JSON.stringify(findIds(secret))).not.toMatch(/9fKq|TWsj|8b82|a1/)
  })

  test('an incomplete or altered delivery id is not recognised', () => {
    for (const cut of [dlv.slice(0, -1), `${dlv}0`, `x${dlv}`, dlv.replace('01', '91'), dlv.toUpperCase()])
      expect(findIds(cut).every(({ kind }) => kind !== 'delivery')).toBe(true)
  })
})

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'.split('')
const typeId = fc
  .tuple(
    fc.constantFrom('dlv', 'evt', 'rpl', 'whk', 'wh', 'acct', 'key'),
    fc.constantFrom(...'01234567'.split('')),
    fc.array(fc.constantFrom(...base32), { minLength: 25, maxLength: 25 }),
  )
  .map(([prefix, first, rest]) => `${prefix}_${first}${rest.join('')}`)

test('an id is found anywhere in a text', () => {
  const around = fc.string({ maxLength: 30 }).map(text => text.replaceAll(/[0-9a-z_]/gi, ' '))
  fc.assert(
    fc.property(typeId, around, around, (id, before, after) => {
      expect(findIds(`${before}${id}${after}`).flatMap(({ values }) => values)).toContain(id)
    }),
  )
})

test('an email address is found anywhere between other words', () => {
  const word = fc
    .array(fc.constantFrom(...'abcz019._+-'.split('')), { minLength: 1, maxLength: 20 })
    .map(letters => letters.join(''))
  const between = fc.constantFrom(' ', '<>', '"', 'to=<>', '(', ', ', '\t')
  fc.assert(
    fc.property(word, word, between, (local, domain, mark) => {
      const address = `${local}@${domain.replace(/\.+$/, '')}x`
      const line = `bounced ${mark.slice(0, -1) || mark}${address}${mark.at(-1)} at 10:00`
      const recipient = findIds(line).find(({ kind }) => kind === 'recipient')
      expect(recipient?.values).toContain(address)
    }),
  )
})

test('no text makes the search fail or run for long', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => void findIds(text)))
  const startMs = performance.now()
  for (const unit of ['a', '@', 'em_', '"id":', 'a@', 'em_-', '<', '#1', '{"id":"', '=a'])
    findIds(unit.repeat(50_000))
  expect(performance.now() - startMs).toBeLessThan(2_000)
})
