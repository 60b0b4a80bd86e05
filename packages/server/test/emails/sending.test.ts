import type { Email, EmailAccepted, Event, System } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { headerOf, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const message = { from: 'Shop <shop@shop.example>', subject: 'Your receipt', text: 'Thank you.' }

/** The mail server's replies, by the first word of the local part. */
const refusals: Record<string, string | undefined> = {
  unknown: '550 5.1.1 User unknown in virtual mailbox table',
  policy: '550 5.7.1 Message rejected due to spam content',
}

describe.each(verbBackends())('sending on $name', backend => {
  let place: DatabasePlace
  let sink: SmtpSink
  let service: ServiceProcess
  const busy = new Set<string>()

  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    sink = await startSmtpSink({
      onRecipient: address => {
        const kind = address.split(/[-@]/)[0] ?? ''
        if (kind !== 'busy' || busy.has(address)) return refusals[kind]
        busy.add(address)
        return '450 4.7.1 Greylisted, try again'
      },
      onMessage: address => (address.startsWith('full') ? '552 5.2.2 Mailbox full' : undefined),
    })
    service = await startService(newInstallation(place), {
      POSTHORN_SMTP_URL: sink.url,
      POSTHORN_RETURN_PATH_DOMAIN: 'bounces.shop.example',
      POSTHORN_PUBLIC_URL: 'https://mail.shop.example',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  async function send(customer: Customer, input: Record<string, unknown>): Promise<string> {
    const answer = await customer.api.post<EmailAccepted>('/v1/emails', { ...message, ...input })
    return expectStatus(202, answer).email_id
  }

  async function settled(customer: Customer, emailId: string): Promise<Email> {
    return await until('no recipient is queued', async () => {
      const email = expectStatus(200, await customer.api.get<Email>(`/v1/emails/${emailId}`))
      return email.states.queued === 0 && email
    })
  }

  async function eventOf(customer: Customer, emailId: string): Promise<Event> {
    const events = (await allEvents(customer.api)).filter(event => event.data.email_id === emailId)
    expect(events).toHaveLength(1)
    return events[0] as Event
  }

  test('each recipient gets the email in a separate transaction with a separate return path', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const to = ['Ann <ann@one.example>', 'bob@ONE.example', 'Ann again <ann@one.example>']
    const emailId = await send(customer, { to, cc: ['cid@one.example'], bcc: ['dan@one.example'] })
    const email = await settled(customer, emailId)
    expect(email).toMatchObject({
      to: ['ann@one.example', 'bob@one.example'],
      cc: ['cid@one.example'],
      bcc: ['dan@one.example'],
      states: { handed_over: 4, queued: 0 },
      message_id: `${emailId}@shop.example`,
    })
    // without reports from the mail server, the handover is the last known state
    expect(email.recipients?.[0]).toMatchObject({
      state: 'handed_over',
      outcome_expected: false,
      reply: { code: 250, command: '.' },
      event_id: null,
    })
    const mails = ['ann', 'bob', 'cid', 'dan'].map(name => sink.for(`${name}@one.example`))
    expect(mails.map(list => list.length)).toEqual([1, 1, 1, 1])
    const all = mails.flat()
    expect(all.every(mail => mail.to.length === 1)).toBe(true)
    expect(new Set(all.map(mail => mail.from)).size).toBe(4)
    for (const mail of all) {
      expect(mail.from).toMatch(/^bounces\+[0-9a-z]{53}@bounces\.shop\.example$/)
      expect(headerOf(mail.raw, 'Message-ID')).toBe(`<${emailId}@shop.example>`)
      expect(mail.raw.toString()).not.toContain('dan@one.example')
    }
    expect(await allEvents(customer.api)).toEqual([])
  })

  test('a permanent rejection by the mail server is classified like any other report', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const emailId = await send(customer, { to: ['unknown@one.example'], tags: { kind: 'receipt' } })
    const email = await settled(customer, emailId)
    expect(email.recipients?.[0]).toMatchObject({
      state: 'bounced',
      outcome_expected: false,
      reply: { code: 550, enhanced_code: '5.1.1', command: 'RCPT TO' },
    })
    expect(await eventOf(customer, emailId)).toMatchObject({
      id: email.recipients?.[0]?.event_id,
      type: 'email.bounced',
      data: {
        to: ['unknown@one.example'],
        from: 'Shop <shop@shop.example>',
        subject: 'Your receipt',
        tags: { kind: 'receipt' },
        message_id: `${emailId}@shop.example`,
        sent_at: email.created_at,
        bounce: { category: 'invalid_recipient', timing: 'synchronous' },
        attempts: 1,
      },
    })
    const blocked = await send(customer, { to: ['policy@one.example'] })
    expect((await settled(customer, blocked)).states).toMatchObject({ failed: 1 })
    expect(await eventOf(customer, blocked)).toMatchObject({
      type: 'email.failed',
      data: { failure: { category: 'policy', stage: 'rcpt_to' } },
    })
    const full = await send(customer, { to: ['full@one.example'] })
    expect((await settled(customer, full)).states).toMatchObject({ failed: 1 })
    expect(await eventOf(customer, full)).toMatchObject({
      data: { failure: { reason: 'mailbox_full', stage: 'end_of_data' } },
    })
  })

  test('a temporarily rejected recipient gets the email later, and an endpoint that asks for it one deferral', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const url = 'https://hooks.example.com/'
    const events = ['email.deferred']
    expectStatus(201, await customer.api.post('/v1/webhooks', { url, events, enabled: false }))
    const emailId = await send(customer, { to: ['busy@one.example'] })
    const waiting = await until('it was tried once', async () => {
      const email = expectStatus(200, await customer.api.get<Email>(`/v1/emails/${emailId}`))
      return email.recipients?.[0]?.tries === 1 && email.recipients[0]
    })
    expect(waiting).toMatchObject({
      state: 'queued',
      outcome_expected: true,
      reply: { code: 450, enhanced_code: '4.7.1', command: 'RCPT TO' },
    })
    expect((await settled(customer, emailId)).states).toMatchObject({ handed_over: 1 })
    expect(sink.for('busy@one.example')).toHaveLength(1)
    expect(await eventOf(customer, emailId)).toMatchObject({
      type: 'email.deferred',
      data: {
        to: ['busy@one.example'],
        deferral: { message: expect.any(String) },
        smtp_response: { code: 450 },
      },
    })
  })

  test('a suspended account sends nothing new, and its accepted emails are still handed over', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const emailId = await send(customer, { to: ['busy-before@one.example'] })
    const account = `/v1/accounts/${customer.accountId}`
    expectStatus(200, await service.operator.patch(account, { suspended: true }))
    expectStatus(403, await customer.api.post('/v1/emails', { ...message, to: ['ann@one.example'] }))
    expect((await settled(customer, emailId)).states).toMatchObject({ handed_over: 1 })
  })

  test('a bounced address gets no second email, and an event says why', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await settled(customer, await send(customer, { to: ['unknown-again@one.example'] }))
    const emailId = await send(customer, { to: ['unknown-again@one.example', 'eve@one.example'] })
    expect((await settled(customer, emailId)).states).toMatchObject({ failed: 1, handed_over: 1 })
    expect(await eventOf(customer, emailId)).toMatchObject({
      type: 'email.failed',
      data: { failure: { reason: 'recipient_suppressed', suppression: { reason: 'bounced' } } },
    })
  })

  test('a mail with `unsubscribe` has a separate link and address for each recipient', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const to = ['fay@one.example', 'gil@one.example']
    await settled(customer, await send(customer, { to, unsubscribe: { list: 'news' } }))
    const fields = to.map(address =>
      headerOf(sink.for(address)[0]?.raw ?? Buffer.alloc(0), 'List-Unsubscribe'),
    )
    for (const field of fields) {
      expect(field).toMatch(
        /^<https:\/\/mail\.shop\.example\/u\/[\w.-]+>, <mailto:unsub\+[0-9a-z]{53}@bounces\.shop\.example>$/,
      )
    }
    expect(new Set(fields).size).toBe(2)
    const raw = sink.for('fay@one.example')[0]?.raw ?? Buffer.alloc(0)
    expect(headerOf(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const receipt = await send(customer, { to: ['hal@one.example'] })
    await settled(customer, receipt)
    expect(headerOf(sink.for('hal@one.example')[0]?.raw ?? Buffer.alloc(0), 'List-Unsubscribe')).toBeNull()
  })

  test('a later report updates the email record, and other recipients are marked as expecting one', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const emailId = await send(customer, { to: ['ivy@one.example', 'jon@one.example'] })
    await settled(customer, emailId)
    const told = { email_id: emailId, recipient: 'ivy@one.example', reply: { text: '250 2.0.0 OK' } }
    expectStatus(202, await customer.api.post('/v1/outcomes', { ...told, disposition: 'accepted' }))
    const email = expectStatus(200, await customer.api.get<Email>(`/v1/emails/${emailId}`))
    expect(email.recipients).toMatchObject([
      { address: 'ivy@one.example', state: 'delivered', outcome_expected: false, reply: { code: 250 } },
      { address: 'jon@one.example', state: 'handed_over', outcome_expected: true },
    ])
  })

  test('a request with an Idempotency-Key sends one email, no matter how often it is repeated', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const once = async () =>
      await customer.api.post<EmailAccepted>(
        '/v1/emails',
        { ...message, to: ['kim@one.example'] },
        { 'idempotency-key': 'receipt-1' },
      )
    const answers = await Promise.all([once(), once(), once()])
    expect(new Set(answers.map(answer => expectStatus(202, answer).email_id)).size).toBe(1)
    await settled(customer, answers[0]?.body.email_id ?? '')
    expect(sink.for('kim@one.example')).toHaveLength(1)
  })

  test('emails are listed newest first and filtered by recipient and state', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const first = await send(customer, { to: ['lea@one.example'] })
    const second = await send(customer, { to: ['lea@one.example', 'unknown-2@one.example'] })
    const third = await send(customer, { to: ['max@one.example'] })
    for (const id of [first, second, third]) await settled(customer, id)
    const ids = async (query: string): Promise<string[]> => {
      const page = expectStatus(200, await customer.api.get<{ data: Email[] }>(`/v1/emails?${query}`))
      return page.data.map(email => email.id)
    }
    expect(await ids('')).toEqual([third, second, first])
    expect(await ids('recipient=lea@ONE.example')).toEqual([second, first])
    expect(await ids('state=bounced,failed')).toEqual([second])
    expect(await ids('state=handed_over&recipient=unknown-2@one.example')).toEqual([])
    expect(await ids('state=queued')).toEqual([])
    const page = expectStatus(
      200,
      await customer.api.get<{ data: Email[]; next_cursor: string }>('/v1/emails?limit=2&state=handed_over'),
    )
    expect(page.data.map(email => email.id)).toEqual([third, second])
    expect(await ids(`limit=2&state=handed_over&cursor=${page.next_cursor}`)).toEqual([first])
    const other = await newCustomer(service.url, service.operator)
    expect((await other.api.get(`/v1/emails/${first}`)).status).toBe(404)
  })

  test('the list says why an email did not arrive, by its most serious outcome', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const mixed = await send(customer, {
      to: ['unknown-3@one.example', 'policy-3@one.example', 'nia@one.example'],
    })
    const waiting = await send(customer, { to: ['oda@one.example'] })
    for (const id of [mixed, waiting]) await settled(customer, id)
    const told = { email_id: mixed, recipient: 'nia@one.example', reply: { text: '250 2.0.0 OK' } }
    expectStatus(202, await customer.api.post('/v1/outcomes', { ...told, disposition: 'accepted' }))
    const page = async (query = '') =>
      expectStatus(200, await customer.api.get<{ data: Email[] }>(`/v1/emails?${query}`)).data
    const bounce = (await allEvents(customer.api)).find(({ type }) => type === 'email.bounced')
    expect(await page()).toMatchObject([
      { id: waiting, latest_event: null },
      {
        id: mixed,
        latest_event: {
          id: bounce?.id,
          type: 'email.bounced',
          reason: 'invalid_recipient',
          reply: { code: 550, enhanced_code: '5.1.1' },
        },
      },
    ])

    const bounced = await customer.api.get<{ data: Event[] }>('/v1/events?reason=invalid_recipient')
    expect(expectStatus(200, bounced).data.map(({ id }) => id)).toEqual([bounce?.id])
    const none = await customer.api.get<{ data: Event[] }>('/v1/events?reason=mailbox_full')
    expect(expectStatus(200, none).data).toEqual([])
    expect((await customer.api.get('/v1/events?reason=unknown')).status).toBe(422)

    const late = { email_id: waiting, recipient: 'oda@one.example', reply: { text: '250 2.0.0 OK' } }
    expectStatus(202, await customer.api.post('/v1/outcomes', { ...late, disposition: 'accepted' }))
    const [delivered] = await page('state=delivered')
    expect(delivered).toMatchObject({
      id: waiting,
      latest_event: { type: 'email.delivered', reason: null, reply: { code: 250 } },
    })
  })

  test('the metrics count emails that the mail server accepted, and none stays pending', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await settled(customer, await send(customer, { to: ['nan@one.example'] }))
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/posthorn_handovers_total\{.*result="handed_over"\} [1-9]/)
    expect(metrics).toMatch(/posthorn_handovers_waiting(\{shard="0"\})? 0/)
  })

  test('the metrics count auto-replies to a return path, and the operator sees that messages arrive', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await settled(customer, await send(customer, { to: ['oona@one.example'] }))
    const reply =
      'From: oona@one.example\r\nSubject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n'
    const path = `/v1/sources/message?recipient=${encodeURIComponent(sink.for('oona@one.example')[0]?.from ?? '')}`
    const type = { 'content-type': 'message/rfc822' }
    expectStatus(202, await service.operator.post(path, reply, type))
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/posthorn_returned_mails_ignored_total\{.*reason="not_a_report".*\} 1/)
    const system = expectStatus(200, await service.operator.get<System>('/v1/system'))
    expect(system.mail_sources).toMatchObject([{ kind: 'message' }])
  })
})
