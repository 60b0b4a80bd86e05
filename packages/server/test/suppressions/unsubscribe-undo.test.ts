import type { AuditEntry, Event, Suppression } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { undoDays } from '../../src/domain/suppression.ts'
import { findSuppression } from '../../src/suppressions/find-suppression.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { verbContext } from '../verbs/verb-context.ts'
import { oneClick, sendEmail } from './sent-email.ts'

const form = (fields: string) => ({ ...oneClick, payload: fields })

describe.each(verbBackends())('undoing an unsubscription on $name', backend => {
  let db: Database
  let app: TestApp
  let laterMs = 0
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    const plain = verbContext(db)
    const clock = { ...plain.clock, nowMs: () => plain.clock.nowMs() + laterMs }
    app = await openTestApp(db, { intake: newIntake(db), ctx: { ...plain, clock } })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const visit = async (url: string, method: 'GET' | 'POST' = 'GET', request = {}): Promise<string> => {
    const response = await app.app.inject({ method, url, ...request })
    expect(response.statusCode).toBe(200)
    return response.body
  }
  /** The ids that the page’s undo button would send. */
  const undoIn = (page: string): string[] =>
    [...page.matchAll(/name="undo" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const undo = async (link: string, ids: readonly string[]): Promise<string> =>
    await visit(link, 'POST', form(ids.map(id => `undo=${id}`).join('&')))

  async function newSender() {
    const { apiKey: as, accountUuid } = await newCustomer(app)
    const list = async <T>(path: string): Promise<T[]> =>
      (await call(app, 'GET', path, { as })).body['data'] as T[]
    return {
      as,
      accountUuid,
      events: async () => await list<Event>('/v1/events?limit=250'),
      suppressions: async () => await list<Suppression>('/v1/suppressions?state=active,lifted'),
      audit: async () => await list<AuditEntry>('/v1/audit-log?action=suppression.lifted'),
      refused: async (name: string | null) =>
        (await findSuppression(app.ctx, accountUuid, 'ann@example.org', { list: name }))?.reason ?? null,
    }
  }

  test('lifts the suppression, stores no event, and is in the audit log as the act of a recipient', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const ids = undoIn(await visit(link, 'POST', form('scope=list')))
    expect(ids).toHaveLength(1)
    expect(await sender.refused('news')).toBe('unsubscribe')

    expect(await undo(link, ids)).toContain('You are subscribed again')
    expect(await sender.refused('news')).toBeNull()
    expect(await sender.events()).toHaveLength(1)
    expect(await sender.audit()).toMatchObject([
      {
        actor: { kind: 'recipient', api_key_id: null, portal_session_id: null },
        target: ids[0],
        before: { reason: 'unsubscribe', state: 'active' },
        after: { state: 'lifted' },
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ])
    expect(JSON.stringify(await sender.audit())).not.toContain('ann@')
  })

  test('works after a second visit and after one click, and repeating it changes nothing', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    await visit(link, 'POST', oneClick)
    const page = await visit(link)
    expect(page).toContain('You are unsubscribed')
    const ids = undoIn(page)
    await Promise.all([1, 2, 3].map(async () => await undo(link, ids)))
    expect(await sender.audit()).toHaveLength(1)

    // a repeated undo does not undo what the recipient did afterwards
    expect(await visit(link)).toContain('Which emails do you want to stop?')
    await visit(link, 'POST', form('scope=list'))
    expect(await undo(link, ids)).toContain('You are unsubscribed')
    expect(await sender.refused('news')).toBe('unsubscribe')
    expect(await sender.events()).toHaveLength(2)
  })

  test('opening the link undoes nothing', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const [id] = undoIn(await visit(link, 'POST', oneClick))
    await visit(`${link}?undo=${id}`)
    expect(await sender.refused('news')).toBe('unsubscribe')
  })

  interface Request {
    path: string
    payload?: string
    headers?: Record<string, string>
    json?: object
  }
  test.each<[string, Request]>([
    [
      'an import',
      {
        path: '/v1/suppressions/import',
        payload: 'address,reason,scope,list\nAnn@example.org,unsubscribe,list,news\n',
        headers: { 'content-type': 'text/csv' },
      },
    ],
    [
      'a report',
      {
        path: '/v1/outcomes',
        json: {
          type: 'email.unsubscribed',
          data: {
            email_id: 'other',
            to: ['ann@example.org'],
            unsubscribe: { source: 'manual', scope: { type: 'list', id: 'news' } },
          },
        },
      },
    ],
  ])('lifts nothing that %s has confirmed', async (_, { path, ...request }) => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const ids = undoIn(await visit(link, 'POST', form('scope=list')))
    const [before] = await sender.suppressions()
    expect((await call(app, 'POST', path, { as: sender.as, ...request })).status).toBeLessThan(300)

    expect(undoIn(await visit(link))).toEqual([])
    expect(await undo(link, ids)).toContain('You are unsubscribed')
    expect(await sender.refused('news')).toBe('unsubscribe')
    expect(await sender.suppressions()).toEqual([before])
  })

  test('lifts both if the recipient left the list and then all lists', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    await visit(link, 'POST', form('scope=list'))
    const ids = undoIn(await visit(link, 'POST', form('scope=all')))
    expect(ids).toHaveLength(2)
    await undo(link, ids)
    expect([await sender.refused('news'), await sender.refused('offers')]).toEqual([null, null])
  })

  test.each([
    ['manual', { path: '/v1/suppressions', json: { address: 'ann@example.org' } }],
    [
      'bounce',
      {
        path: '/v1/outcomes',
        json: {
          type: 'email.bounced',
          data: { email_id: 'x', to: ['ann@example.org'], bounce: { category: 'invalid_recipient' } },
        },
      },
    ],
  ])('a suppression for another reason stays, and the page promises nothing (%s)', async (reason, other) => {
    const sender = await newSender()
    await call(app, 'POST', other.path, { as: sender.as, json: other.json })
    const [before] = await sender.suppressions()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const ids = undoIn(await visit(link, 'POST', form('scope=all')))
    const page = await undo(link, [...ids, before?.id ?? ''])
    expect(page).toContain('You are unsubscribed')
    expect(undoIn(page)).toEqual([])
    expect(await sender.refused('news')).toBe(reason)
    expect((await sender.audit()).map(({ target }) => target)).toEqual(ids)
  })

  test('what the sender reported, what another email did and what a stranger did stay', async () => {
    const [sender, stranger] = [await newSender(), await newSender()]
    const { link, emailId } = await sendEmail(app.ctx, sender.accountUuid, { list: null })
    const reported = {
      email_id: emailId,
      to: ['ann@example.org'],
      unsubscribe: { source: 'link', scope: { type: 'all' } },
    }
    await call(app, 'POST', '/v1/outcomes', {
      as: sender.as,
      json: { type: 'email.unsubscribed', data: reported },
    })
    const other = await sendEmail(app.ctx, sender.accountUuid, { list: 'offers' })
    await visit(other.link, 'POST', oneClick)
    const foreign = await sendEmail(app.ctx, stranger.accountUuid)
    await visit(foreign.link, 'POST', oneClick)
    const bob = await sendEmail(app.ctx, sender.accountUuid, { address: 'bob@example.org' })
    await visit(bob.link, 'POST', oneClick)

    const page = await visit(link)
    expect(page).toContain('You are unsubscribed')
    expect(undoIn(page)).toEqual([])
    const all = [...(await sender.suppressions()), ...(await stranger.suppressions())]
    expect(all).toHaveLength(4)
    await undo(
      link,
      all.map(({ id }) => id),
    )
    for (const one of [sender, stranger]) {
      expect((await one.suppressions()).map(({ state }) => state)).not.toContain('lifted')
    }
  })

  test(`ends after ${undoDays} days`, async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const ids = undoIn(await visit(link, 'POST', oneClick))
    try {
      laterMs = undoDays * 86_400_000 - 60_000
      expect(undoIn(await visit(link))).toEqual(ids)
      laterMs = undoDays * 86_400_000 + 60_000
      const page = await visit(link)
      expect(undoIn(page)).toEqual([])
      expect(page).toContain('ask the sender')
      expect(await undo(link, ids)).toContain('You are unsubscribed')
    } finally {
      laterMs = 0
    }
    expect(await sender.refused('news')).toBe('unsubscribe')
  })

  test.each(['undo=', 'undo=sup_x', 'undo=1&undo=2', 'undo'])('%s gets 400', async payload => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const response = await app.app.inject({ method: 'POST', url: link, ...form(payload) })
    expect(response.statusCode).toBe(400)
    expect(app.logged).toEqual([])
  })
})
