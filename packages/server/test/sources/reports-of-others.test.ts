import { describe, expect, test } from 'vitest'
import { call, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { bounceMail, statusGroup } from './mails.ts'
import { type Reported, useSourceApp } from './source-app.ts'

const mx = 'host mx.example.org[192.0.2.7] said:'
const lookup = (name: string): string =>
  `Host or domain name not found. Name service error for name=${name} type=A: Host not found`

let reports = 0

describe.each(verbBackends())('what a report says about other recipients, on $name', backend => {
  const { app, customer, sent, post, event } = useSourceApp(backend)

  /** The same report through each source. */
  const doors = {
    'a raw outcome': async (text: string, enhanced?: string): Promise<Reported> => {
      const answer = await call(app(), 'POST', '/v1/outcomes', {
        as: customer().apiKey,
        json: {
          email_id: `order-${++reports}`,
          recipient: 'ann@Example.org',
          disposition: 'permanent',
          reply: { text, enhanced_code: enhanced },
        },
      })
      return answer.body as unknown as Reported
    },
    "a line of Postfix's log": async (text: string, status = '5.0.0'): Promise<Reported> => {
      const email = await sent()
      const line = {
        line_id: `others-${++reports}`,
        return_path: email.returnPaths[0],
        recipient: 'ann@example.org',
        disposition: 'permanent',
        reply: text,
        occurred_at: '2026-11-21T04:00:01.000Z',
        status,
      }
      return await post('/v1/sources/postfix', { records: [line] })
    },
    'a bounce message': async (text: string, status = '5.0.0'): Promise<Reported> => {
      const email = await sent()
      const group = statusGroup('ann@example.org', { status, code: `X-Postfix; ${text}` })
      const answer = await call(app(), 'POST', '/v1/sources/message', {
        as: operatorToken,
        payload: bounceMail(email.returnPaths[0] ?? '', [group.replace(/^Remote-MTA:.*\r\n/m, '')]),
        headers: { 'content-type': 'message/rfc822' },
      })
      return answer.body as unknown as Reported
    },
  }
  const suppressed = async (): Promise<unknown> =>
    (await call(app(), 'GET', '/v1/suppressions', { as: customer().apiKey })).body['data']

  describe.each(Object.entries(doors))('as %s', (_door, report) => {
    test('a reply code at the end of a folded line is read, and the event is not a bounce', async () => {
      for (const text of [
        `${mx} 550\r\n    invalid content in message (in reply to end of DATA command)`,
        `${mx} 554\r\n    Unknown HELO, go away (in reply to MAIL FROM command)`,
      ]) {
        const { events } = await report(text)
        expect(await event(events[0])).toMatchObject({
          type: 'email.failed',
          smtp_response: { code: text.includes('550') ? 550 : 554 },
        })
      }
    })

    test('a missing host that is not the recipient’s domain is a DNS failure', async () => {
      for (const name of ['relay.example.net', 'mx1.example.org', 'mailstore.internal.example']) {
        const { events } = await report(lookup(name), '5.4.4')
        expect(await event(events[0])).toMatchObject({
          type: 'email.failed',
          failure: { category: 'infrastructure', reason: 'dns_failure', retryable: true },
        })
      }
      expect(await suppressed()).toEqual([])
    })
  })

  // last, because these suppress the recipient
  test.each(Object.entries(doors))(
    'a missing domain of the recipient is a bounce, as %s',
    async (_door, report) => {
      const { events } = await report(lookup('example.org'), '5.4.4')
      expect(await event(events[0])).toMatchObject({
        type: 'email.bounced',
        bounce: { category: 'invalid_domain', evidence: 'dns' },
      })
    },
  )

  test('a raw outcome with its own enhanced status code is not taken for a failed DNS lookup', async () => {
    const { events } = await doors['a raw outcome'](
      'Unknown host: your server name is not resolvable',
      '5.7.1',
    )
    expect(await event(events[0])).toMatchObject({
      type: 'email.failed',
      failure: { reason: 'access_denied' },
    })
  })
})
