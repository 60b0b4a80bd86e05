import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { call, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { useProviderApp, type Webhook } from './provider-app.ts'
import { bodyOf, caseOf, minuteMs, newId, providerCases, signed, webhookOf } from './provider-cases.ts'
import { sendgridEvent, sendgridKey } from './samples/sendgrid.ts'

const sendgrid = caseOf('sendgrid')

describe.each(verbBackends())('webhooks on $name', backend => {
  const { app, customer, sent, newSource, send, report, counted } = useProviderApp(
    backend,
    'sendgrid',
    sendgridKey,
  )

  describe.each(providerCases)('$kind', provider => {
    const { kind, key, otherKeys, wrongKeys, ageMsMax, isBodySigned } = provider
    const source = async (withKey = key) => await newSource(customer().accountId, withKey, kind)

    test('a delivery and a bounce become events of the email that the provider names', async () => {
      for (const one of [key, ...otherKeys]) {
        const { url } = await source(one)
        const [delivered, bounced] = [newId(), newId()]
        const delivery = await report(signed(provider, provider.delivery(delivered)), url)
        expect(delivery.events).toMatchObject([
          {
            type: 'email.delivered',
            email_id: delivered,
            to: ['ann@example.org'],
            occurred_at: expect.stringMatching(/^2026-11-21T04:00:01/),
          },
        ])
        const bounce = await report(signed(provider, provider.bounce(bounced)), url)
        expect(bounce.events).toMatchObject([
          {
            type: 'email.bounced',
            email_id: bounced,
            recipient: 'ann@example.org',
            smtp_response: { code: 550, enhanced_code: '5.1.1' },
            decided_by: expect.stringContaining('5.1.1'),
          },
        ])
      }
    })

    test('a report that arrives again is a duplicate, also with a new signature', async () => {
      const { url } = await source()
      const event = provider.bounce(newId())
      const id = newId()
      expect((await report(signed(provider, event, { id }), url)).events).toHaveLength(1)
      const again = signed(provider, event, { id, nowMs: Date.now() + 2_000 })
      expect(await report(again, url)).toEqual({ events: [], ignored: ['duplicate'] })
    })

    test('a report without a valid signature is refused and counted, and changes nothing', async () => {
      const created = await source()
      const event = provider.delivery(newId())
      const { headers = {}, payload } = signed(provider, event)
      const forged: Webhook[] = [
        signed(provider, event, { isForged: true }),
        { payload, headers: { 'content-type': 'application/json' } },
        ...(isBodySigned
          ? [{ headers, payload: Buffer.concat([Buffer.from(payload), Buffer.from(' ')]) }]
          : []),
        ...(ageMsMax === null
          ? []
          : [-ageMsMax - minuteMs, 11 * minuteMs].map(ms =>
              signed(provider, event, { nowMs: Date.now() + ms }),
            )),
      ]
      for (const [index, one] of forged.entries()) {
        const { status, body } = await send(created.url, one)
        expect([index, status, body.code]).toEqual([index, 401, 'unauthorized'])
      }
      await counted(created, { refused_count: forged.length, event_count: 0, ignored_count: 0 })
      expect((await report({ headers, payload }, created.url)).events).toHaveLength(1)
    })

    test('text that is not valid Unicode loses no report', async () => {
      const created = await source()
      for (const wrong of [String.raw`\udce9`, '\xe9']) {
        const text = bodyOf(provider, provider.bounce(newId())).toString('latin1')
        const changed = text.replace('User unknown', `User unknown: ${wrong}`)
        const { events } = await report(webhookOf(provider, Buffer.from(changed, 'latin1')), created.url)
        expect(events).toMatchObject([
          { type: 'email.bounced', smtp_response: { message: expect.stringContaining('unknown: \ufffd') } },
        ])
      }
      await counted(created, { refused_count: 0, event_count: 2 })
    })

    test('an open creates no event', async () => {
      const { url } = await source()
      expect(await report(signed(provider, provider.open), url)).toEqual({
        events: [],
        ignored: ['not_an_outcome'],
      })
    })

    test('nonsense with a valid signature is counted, logged without its content, and ignored', async () => {
      const created = await source()
      const nonsense = [undefined, null, 7, 'text', [], [[]], {}, { event: {} }, { type: [], data: 7 }]
      const texts = ['', '{', '\ufeff[]', '{"event":"MessageSent","uuid":"1","payload":{"message":{"to":1}}}']
      const bodies = [
        ...nonsense.map(one => bodyOf(provider, one)),
        ...texts.map(text => Buffer.from(text)),
        Buffer.from([0xff, 0xfe, 0x00]),
      ]
      let ignored = 0
      for (const bytes of bodies) {
        const { status, body } = await send(created.url, webhookOf(provider, bytes))
        expect([bytes.toString(), status]).toEqual([bytes.toString(), expect.toBeOneOf([200, 400, 422])])
        if (status === 200) ignored += (body['ignored'] as unknown[]).length
      }
      expect(ignored).toBeGreaterThanOrEqual(6)
      await counted(created, { event_count: 0, ignored_count: ignored })
      expect(app().logged).toContainEqual({ source_id: created.id, kind, ignored: { malformed: 1 } })
    })

    const hasPublicKey = kind === 'sendgrid' || kind === 'postal'
    test.runIf(hasPublicKey)('a private key is refused and never shown', async () => {
      const pairs = [
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
        generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
      ]
      const pems = pairs.map(one => one.export({ format: 'pem', type: 'pkcs8' }).toString())
      const older = [
        pairs[0]?.export({ format: 'pem', type: 'sec1' }),
        pairs[1]?.export({ format: 'pem', type: 'pkcs1', cipher: 'aes-256-cbc', passphrase: 'x' }),
      ].map(String)
      const inBase64 = [...pems, ...older.slice(0, 1)].map(pem => pem.replace(/-----[^-]+-----|\n/g, ''))
      for (const wrong of [...pems, ...older, ...inBase64, `${key}\n${pems[0]}`]) {
        const { status, body } = await call(app(), 'POST', `/v1/accounts/${customer().accountId}/sources`, {
          as: operatorToken,
          json: { kind, key: wrong },
        })
        expect([status, body.errors?.[0]?.message]).toEqual([
          422,
          expect.stringContaining('not a private key'),
        ])
        expect(JSON.stringify([body, app().logged])).not.toContain(wrong.split('\n')[1] ?? wrong)
      }
    })

    test('a key that the provider cannot have is refused', async () => {
      for (const wrong of wrongKeys) {
        const { status, body } = await call(app(), 'POST', `/v1/accounts/${customer().accountId}/sources`, {
          as: operatorToken,
          json: { kind, key: wrong },
        })
        expect([wrong, status, body.errors?.[0]?.path]).toEqual([wrong, 422, '/key'])
      }
    })
  })

  test('a recipient whose case the provider changed is the one that Posthorn sent the email to', async () => {
    const email = await sent(['Ann.Lee@example.org', 'ann.lee@example.org', 'Ben@example.org'])
    const delivered = (address: string) =>
      sendgridEvent('delivered', { posthorn_email_id: email.id, email: address })
    const addresses = ['ben@example.org', 'ann.lee@example.org', 'ANN.LEE@example.org']
    const events = Buffer.from(JSON.stringify(addresses.map(delivered)))
    const found = await report(webhookOf(sendgrid, events))
    expect(found.events.map(one => one['to'])).toEqual([
      ['Ben@example.org'],
      ['ann.lee@example.org'],
      ['Ann.Lee@example.org'],
    ])
    const { body } = await call(app(), 'GET', `/v1/emails/${email.id}`, { as: customer().apiKey })
    expect((body['recipients'] as Array<{ state: string }>).map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ])
  })

  test('a raw outcome may change the case of a recipient too', async () => {
    const email = await sent(['Ann.Lee@example.org'])
    await call(app(), 'POST', '/v1/outcomes', {
      as: customer().apiKey,
      json: { email_id: email.id, recipient: 'ann.lee@example.org', reply: { code: 250, text: '250 OK' } },
    })
    const { body } = await call(app(), 'GET', `/v1/emails/${email.id}`, { as: customer().apiKey })
    expect(body['recipients']).toMatchObject([{ address: 'Ann.Lee@example.org', state: 'delivered' }])
  })

  test('two spellings of a recipient in another system’s email are one recipient', async () => {
    const about = { posthorn_email_id: newId(), reason: '550 5.1.1 User unknown' }
    const events = ['two@example.org', 'Two@example.org'].map(email =>
      sendgridEvent('bounce', { ...about, email }),
    )
    expect(await report(webhookOf(sendgrid, Buffer.from(JSON.stringify(events))))).toMatchObject({
      events: [{ type: 'email.bounced', to: ['two@example.org'] }],
      ignored: ['superseded'],
    })
  })

  test('a bounce of Postmark may contain the whole email, and other providers send less than a megabyte', async () => {
    const postmark = caseOf('postmark')
    const { url } = await newSource(customer().accountId, postmark.key, 'postmark')
    const content = 'a line of the email\r\n'.repeat(500_000)
    const bounce = { ...postmark.bounce(newId()), Content: content }
    expect((await report(signed(postmark, bounce), url)).events).toMatchObject([{ type: 'email.bounced' }])
    const events = Buffer.from(JSON.stringify([{ ...sendgridEvent('open'), content }]))
    const { status } = await send((await newSource()).url, webhookOf(sendgrid, events))
    expect(status).toBe(413)
  })

  test('a batch of SendGrid may contain thousands of events, about several emails', async () => {
    const provider = sendgrid
    const { url } = await newSource(customer().accountId, sendgridKey, 'sendgrid')
    const events = [
      ...Array.from({ length: 2_000 }, () => sendgridEvent('open')),
      provider.delivery('batch-1'),
      sendgridEvent('deferred'),
      provider.bounce('batch-2'),
    ]
    const { events: found, ignored } = await report(
      webhookOf(provider, Buffer.from(JSON.stringify(events))),
      url,
    )
    expect(found).toMatchObject([
      { type: 'email.delivered', email_id: 'batch-1' },
      { type: 'email.bounced', email_id: 'batch-2' },
    ])
    expect(ignored).toHaveLength(2_001)
  })
})
