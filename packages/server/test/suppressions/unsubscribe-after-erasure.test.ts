import type { Event } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { findSuppression } from '../../src/suppressions/find-suppression.ts'
import { call, newCustomer, openTestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { oneClick, sendEmail } from './sent-email.ts'

test.each(verbBackends())(
  'after an erasure, the person’s link still unsubscribes them, and their address is never stored again ($name)',
  async backend => {
    await using db = await openTestDatabase(backend)
    await using app = await openTestApp(db, { intake: newIntake(db) })
    const { apiKey: as, accountUuid } = await newCustomer(app)
    const click = async (url: string): Promise<number> =>
      (await app.app.inject({ method: 'POST', url, ...oneClick })).statusCode
    const events = async (): Promise<Event[]> =>
      (await call(app, 'GET', '/v1/events', { as })).body['data'] as Event[]

    const before = await sendEmail(app.ctx, accountUuid)
    await createErasure(app.ctx, accountUuid, 'ann@example.org')
    await advanceErasures(app.ctx)

    expect([await click(before.link), await click(before.link)]).toEqual([200, 200])
    expect(await events()).toMatchObject([
      { type: 'email.unsubscribed', data: { to: ['erased@erased.invalid'] } },
    ])
    const held = await findSuppression(app.ctx, accountUuid, 'ann@example.org', { list: 'news' })
    expect(held?.reason).toBe('unsubscribe')
    const stored = await db.query<{ text: string }>(
      `select convert_from(body, 'utf8') as text from event where account_id = $1
       union all select s::text from suppression s where account_id = $1
       union all select r::text from email_recipient r where account_id = $1`,
      [accountUuid],
    )
    expect(stored.map(row => row.text).join('\n')).not.toContain('ann@example')

    // an email that is sent after the erasure is a reason to store the address again
    const { body } = await call(app, 'GET', '/v1/suppressions', { as })
    for (const { id } of body['data'] as Array<{ id: string }>)
      await call(app, 'DELETE', `/v1/suppressions/${id}`, { as })
    const after = await sendEmail(app.ctx, accountUuid)
    expect(await click(after.link)).toBe(200)
    expect((await events())[0]).toMatchObject({ data: { to: ['ann@example.org'] } })
  },
)
