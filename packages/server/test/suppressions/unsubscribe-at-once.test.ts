import type { Event } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { call, newCustomer, openTestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { openTestDatabase, verbServers } from '../support/test-database.ts'
import { oneClick, sendEmail } from './sent-email.ts'

describe.each(verbServers())('many at once on $name', backend => {
  // each round uses a new account, whose key for addresses is created at the same time
  test.each([1, 2, 3])(
    'simultaneous clicks and reports (round %i) all get a response, and the clicks create at most one event',
    async () => {
      await using db = await openTestDatabase(backend)
      await using app = await openTestApp(db, { intake: newIntake(db) })
      const { apiKey: as, accountUuid } = await newCustomer(app)
      await call(app, 'POST', '/v1/webhooks', { as, json: { url: 'https://a.example/' } })
      const { link } = await sendEmail(app.ctx, accountUuid)
      const reported = {
        type: 'email.unsubscribed',
        data: {
          email_id: 'a1',
          to: ['ann@example.org'],
          unsubscribe: { source: 'preference_center', scope: { type: 'list', id: 'news' } },
        },
      }
      const answers = await Promise.all(
        Array.from({ length: 30 }, async (_, n) =>
          n % 3 === 0
            ? await call(app, 'POST', '/v1/outcomes', { as, json: reported })
            : await call(app, 'POST', link, oneClick),
        ),
      )
      expect(answers.map(answer => answer.status)).toEqual(
        Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 202 : 200)),
      )
      const { body } = await call(app, 'GET', '/v1/events?limit=250', { as })
      const sources = (body['data'] as Event[]).map(
        event => (event.data['unsubscribe'] as { source: string }).source,
      )
      expect(sources.filter(source => source === 'preference_center')).toHaveLength(10)
      expect(sources.filter(source => source === 'one_click').length).toBeLessThanOrEqual(1)
      const rows = await db.query('select 1 as one from suppression where account_id = $1', [accountUuid])
      expect(rows).toHaveLength(1)
    },
  )
})
