import { afterAll, beforeAll } from 'vitest'
import type { Probe } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { type Backend, openTestDatabase } from '../support/test-database.ts'
import { verbContext } from '../verbs/verb-context.ts'
import { type SentEmail, sentEmail } from './sent-email.ts'

/** The answer of a source. */
export interface Reported {
  accepted: number
  events: string[]
  ignored: Array<{ index: number; reason: string; event_id?: string }>
}

/**
 * A service with one customer for the tests of one file.
 *
 * @param get replaces the HTTP client that reads what providers publish
 */
export function useSourceApp(backend: Backend, get?: Probe['get']) {
  let db: Database
  let app: TestApp
  /** Why messages to a genuine return path created no event. */
  const mailsIgnored: string[] = []
  let customer: Awaited<ReturnType<typeof newCustomer>>
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const outside = { ...ctx.outside, ...(get !== undefined && { probe: { ...ctx.outside.probe, get } }) }
    app = await openTestApp(db, {
      intake: newIntake(db),
      ctx: { ...ctx, outside },
      mailIgnored: reason => mailsIgnored.push(reason),
    })
    customer = await newCustomer(app)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })
  return {
    app: () => app,
    mailsIgnored,
    customer: () => customer,
    sent: async (to?: readonly string[]): Promise<SentEmail> =>
      await sentEmail(app.ctx, customer.accountUuid, to),
    post: async (path: string, body: object, as = operatorToken): Promise<Reported> => {
      const answer = await call(app, 'POST', path, { as, json: body })
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
      return answer.body as unknown as Reported
    },
    /** The type and data of an event. */
    event: async (id: string | undefined): Promise<Record<string, unknown>> => {
      const { body } = await call(app, 'GET', `/v1/events/${id}`, { as: customer.apiKey })
      return { type: body['type'], ...(body['data'] as object) }
    },
  }
}
