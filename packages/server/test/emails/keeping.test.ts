import { emailCreate } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import type { Database } from '../../src/db/database.ts'
import { createEmail } from '../../src/emails/create-email.ts'
import { getEmail } from '../../src/emails/get-email.ts'
import { claimHandovers } from '../../src/handover/claim.ts'
import { settleHandover } from '../../src/handover/settle.ts'
import { dropOldPartitions } from '../../src/maintenance/drop-old-partitions.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import { newId } from '../../src/new-id.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const dayMs = 86_400_000

describe.each(verbBackends())('storing emails on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  const drop = async () =>
    await dropOldPartitions(ctx, Date.now(), { embedded: backend.serverUrl === null, onExpired: () => {} })

  test('an old email record is deleted, but not while a recipient is still pending', async () => {
    const accountId = await newAccount(ctx)
    const oldMs = Date.now() - 40 * dayMs
    await ensurePartitions(db, oldMs)
    const old = { ...ctx, random: { ...ctx.random }, clock: { ...ctx.clock, nowMs: () => oldMs } }
    const input = { from: 'a@shop.example', to: ['ann@one.example'], subject: 'Hi', text: 'x' }
    const send = async (at: typeof ctx) =>
      uuidOf('em', (await createEmail(at, accountId, emailCreate.parse(input))).email_id)
    const [waiting, young] = [await send(old), await send(ctx)]

    await drop()
    expect((await getEmail(ctx, accountId, waiting)).states.queued).toBe(1)

    const claimed = await claimHandovers(db, { processId: newId(ctx), leaseMs: 60_000, capacity: 10 })
    for (const one of claimed) {
      await settleHandover(
        db,
        one,
        { kind: 'handed_over', reply: '{}' },
        async () => await Promise.resolve(() => {}),
      )
    }
    await drop()
    expect(await refusal(getEmail(ctx, accountId, waiting))).toBe('not_found')
    expect((await getEmail(ctx, accountId, young)).states.handed_over).toBe(1)
  })

  test('nothing is sent for a deleted account', async () => {
    const accountId = await newAccount(ctx)
    const input = { from: 'a@shop.example', to: ['ann@one.example'], subject: 'Hi', text: 'x' }
    await createEmail(ctx, accountId, emailCreate.parse(input))
    await deleteAccount(ctx, accountId)
    const claimed = await claimHandovers(db, { processId: newId(ctx), leaseMs: 60_000, capacity: 10 })
    expect(claimed.filter(one => one.accountId === accountId)).toMatchObject([{ isDecided: true }])
  })

  test('a thousand emails from one account do not delay those of another account', async () => {
    const [many, few] = [await newAccount(ctx), await newAccount(ctx)]
    const parsed = (to: string[]) =>
      emailCreate.parse({ from: 'a@shop.example', to, subject: 'Hi', text: 'x' })
    for (let n = 0; n < 10; n++) {
      const to = Array.from({ length: 100 }, (_, i) => `reader${n}-${i}@one.example`)
      await createEmail(ctx, many, parsed(to))
    }
    await createEmail(ctx, few, parsed(['ann@one.example', 'bob@one.example']))
    const claimed = await claimHandovers(db, { processId: newId(ctx), leaseMs: 60_000, capacity: 8 })
    expect(claimed).toHaveLength(8)
    expect(claimed.filter(one => one.accountId === few)).toHaveLength(2)
    // another process cannot claim it
    const others = await claimHandovers(db, { processId: newId(ctx), leaseMs: 60_000, capacity: 8 })
    const keys = [...claimed, ...others].map(one => `${one.emailId} ${one.number}`)
    expect(new Set(keys).size).toBe(16)
  })
})
