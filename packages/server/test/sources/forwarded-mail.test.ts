import { describe, expect, test } from 'vitest'
import { call, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { bounceMail, statusGroup } from './mails.ts'
import type { SentEmail } from './sent-email.ts'
import { type Reported, useSourceApp } from './source-app.ts'

const dead = 'dead@old.example.net'
let lines = 0

describe.each(verbBackends())('forwarded mail on $name', backend => {
  const { app, customer, sent, post, event } = useSourceApp(backend)

  const bounce = async (email: SentEmail, ...groups: string[]): Promise<Reported> => {
    const answer = await call(app(), 'POST', '/v1/sources/message', {
      as: operatorToken,
      payload: bounceMail(email.returnPaths[0] ?? '', groups),
      headers: { 'content-type': 'message/rfc822' },
    })
    return answer.body as unknown as Reported
  }
  const line = (email: SentEmail, given: object = {}): object => ({
    line_id: `forwarded-${++lines}`,
    return_path: email.returnPaths[0],
    recipient: 'ann@example.org',
    disposition: 'accepted',
    status: '2.0.0',
    reply: '250 2.0.0 Ok: queued',
    relay: 'mx1.example.org[192.0.2.7]:25',
    occurred_at: '2026-11-21T04:00:01.000Z',
    ...given,
  })
  const refused = {
    disposition: 'permanent',
    status: '5.1.1',
    reply: 'host mx.example.net[192.0.2.9] said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
  }
  const ofDeadMember = (email: SentEmail): object =>
    line(email, { recipient: dead, original_recipient: 'ann@example.org', ...refused })
  const log = async (...records: object[]): Promise<Reported> =>
    await post('/v1/sources/postfix', { records })
  const stateOf = async (email: SentEmail): Promise<unknown> => {
    const { body } = await call(app(), 'GET', `/v1/emails/${email.id}`, { as: customer().apiKey })
    return body['recipients']
  }
  const suppressed = async (): Promise<unknown> =>
    (await call(app(), 'GET', '/v1/suppressions', { as: customer().apiKey })).body['data']

  const forwardFailed = {
    type: 'email.failed',
    to: ['ann@example.org'],
    scope: 'recipient',
    failure: {
      category: 'infrastructure',
      reason: 'forward_failed',
      retryable: false,
      expired: false,
      final_recipient: dead,
    },
  }

  test("a bounce message that names only somebody else's dead address suppresses nobody", async () => {
    const email = await sent()
    const { events } = await bounce(email, statusGroup(dead))
    expect(await event(events[0])).toMatchObject(forwardFailed)
    expect(await suppressed()).toEqual([])
    expect(await stateOf(email)).toMatchObject([{ address: 'ann@example.org', state: 'failed' }])
  })

  test.each([
    [
      'its domain is gone',
      {
        status: '5.4.4',
        code: 'X-Postfix; Host or domain name not found. Name service error for name=old.example.net type=A: Host not found',
      },
    ],
    ['it is disabled', { status: '5.2.1', code: 'smtp; 550 5.2.1 Mailbox disabled' }],
    ['only the words say so', { status: '5.0.0', code: 'smtp; 550 No such user' }],
  ])('a dead address behind a forward is recognised in any wording: %s', async (_why, group) => {
    const { events } = await bounce(await sent(), statusGroup(dead, group))
    expect(await event(events[0])).toMatchObject(forwardFailed)
    expect(await suppressed()).toEqual([])
  })

  test('an alias with one dead member suppresses nobody', async () => {
    const email = await sent()
    const { events } = await log(ofDeadMember(email))
    expect(await event(events[0])).toMatchObject(forwardFailed)
    const byReport = await bounce(
      await sent(),
      `Original-Recipient: rfc822; ann@example.org\r\n${statusGroup(dead)}`,
    )
    expect(await event(byReport.events[0])).toMatchObject(forwardFailed)
    expect(await suppressed()).toEqual([])
  })

  test('a bounce message about the recipient suppresses nobody if its reply rejects another address', async () => {
    const email = await sent()
    const { events } = await bounce(
      email,
      statusGroup('ann@example.org', {
        code: `smtp; 550 5.1.1 <${dead}>: Recipient address rejected: User unknown`,
      }),
    )
    expect(await event(events[0])).toMatchObject(forwardFailed)
    expect(await suppressed()).toEqual([])
    expect(await stateOf(email)).toMatchObject([{ state: 'failed' }])
  })

  test('a raw outcome suppresses nobody if its reply rejects another address', async () => {
    const before = await suppressed()
    const answer = await call(app(), 'POST', '/v1/outcomes', {
      as: customer().apiKey,
      json: {
        email_id: 'forwarded-raw',
        recipient: 'eve@example.org',
        disposition: 'permanent',
        reply: { text: `550 5.1.1 <${dead}> User unknown` },
      },
    })
    const [id] = (answer.body as unknown as Reported).events
    expect(await event(id)).toMatchObject({ ...forwardFailed, to: ['eve@example.org'] })
    expect(await suppressed()).toEqual(before)
  })

  test('a full mailbox behind a forward keeps its reason, and the event names the address', async () => {
    const { events } = await bounce(
      await sent(),
      statusGroup(dead, { status: '5.2.2', code: 'smtp; 552 5.2.2 Mailbox full' }),
    )
    expect(await event(events[0])).toMatchObject({
      type: 'email.failed',
      failure: { reason: 'mailbox_full', final_recipient: dead },
    })
  })

  test('a final recipient that is not an address counts as a failed forward and is not shown', async () => {
    for (const name of ['dead', '@old.example.net', '|/usr/bin/vacation']) {
      const { events } = await bounce(await sent(), statusGroup(name))
      const { type, failure } = await event(events[0])
      expect({ type, failure }).toMatchObject({ type: 'email.failed', failure: { reason: 'forward_failed' } })
      expect(failure).not.toHaveProperty('final_recipient')
    }
    expect(await suppressed()).toEqual([])
  })

  test('a delivered email stays delivered when a forward fails, in either order of the reports', async () => {
    const later = await sent()
    await log(line(later))
    const { events } = await bounce(later, statusGroup(dead))
    expect(await event(events[0])).toMatchObject(forwardFailed)
    expect(await stateOf(later)).toMatchObject([{ state: 'delivered' }])

    const earlier = await sent()
    await bounce(earlier, statusGroup(dead))
    const delivery = await log(line(earlier))
    expect(await event(delivery.events[0])).toMatchObject({ type: 'email.delivered' })
    expect(await stateOf(earlier)).toMatchObject([{ state: 'delivered' }])

    for (const order of ['delivered first', 'delivered last']) {
      const together = await sent()
      const records = [line(together), ofDeadMember(together)]
      const answer = await log(...(order === 'delivered first' ? records : records.reverse()))
      expect({ order, accepted: answer.accepted }).toEqual({ order, accepted: 2 })
      expect(await stateOf(together)).toMatchObject([{ state: 'delivered' }])
    }
  })

  test('each dead address is reported once, and the recipient can still bounce', async () => {
    const email = await sent()
    const first = await log(ofDeadMember(email))
    expect(first.accepted).toBe(1)
    expect(await bounce(email, statusGroup(dead))).toMatchObject({
      accepted: 0,
      ignored: [{ reason: 'superseded' }],
    })
    expect(await bounce(email, statusGroup('gone@old.example.net'))).toMatchObject({ accepted: 1 })
    const own = await bounce(email, statusGroup('ann@example.org'))
    expect(await event(own.events[0])).toMatchObject({ type: 'email.bounced', recipient: 'ann@example.org' })
    expect(await stateOf(email)).toMatchObject([{ state: 'bounced' }])
  })

  test.each([
    'ANN@Example.ORG',
    'ann',
    '<ann@example.org>',
    'ann@example.org.',
    '"ann"@example.org',
    'Ann <ann@example.org>',
    '"Ann" <ann@example.org> (at home)',
  ])('another spelling of the recipient is the same recipient: %s', async name => {
    const { events } = await bounce(await sent(), statusGroup(name))
    expect(await event(events[0])).toMatchObject({ type: 'email.bounced' })
  })

  test('an address in RFC 3461 encoding is recognised as the recipient', async () => {
    const email = await sent(['ann+shop@example.org'])
    const { events } = await bounce(email, statusGroup('ann+2Bshop@example.org'))
    expect(await event(events[0])).toMatchObject({ type: 'email.bounced', recipient: 'ann+shop@example.org' })
  })

  test("the sender's own address in the reply is not taken for a forward target", async () => {
    const cases = [
      // its server verifies senders, and says nothing of the recipient
      {
        address: 'no-reply@acme.test',
        outcome: { type: 'email.failed', failure: { reason: 'sender_rejected' } },
      },
      { address: null, outcome: { type: 'email.failed', failure: { reason: 'sender_rejected' } } },
      { address: 'postmaster@mail.acme.test', outcome: { type: 'email.bounced' } },
    ]
    for (const { address, outcome } of cases) {
      const email = await sent(['bob@example.org'])
      const code = `smtp; 550 5.1.1 <${address ?? email.returnPaths[0]}>: User unknown`
      const { events } = await bounce(email, statusGroup('bob@example.org', { code }))
      expect(await event(events[0])).toMatchObject(outcome)
    }
  })

  test("KumoMTA's record of a bounce message is read the same way", async () => {
    const email = await sent()
    const { events } = await post('/v1/sources/kumomta', {
      type: 'OOB',
      id: 'forwarded-oob',
      sender: email.returnPaths[0],
      recipient: dead,
      queue: 'old.example.net',
      site: '',
      size: 1,
      response: {
        code: 550,
        enhanced_code: { class: 5, subject: 1, detail: 1 },
        content: 'User unknown',
        command: null,
      },
      peer_address: null,
      timestamp: 1_795_000_000,
      created: 1_795_000_000,
      num_attempts: 0,
      bounce_classification: 'InvalidRecipient',
      meta: {},
      headers: {},
    })
    expect(await event(events[0])).toMatchObject(forwardFailed)
  })
})
