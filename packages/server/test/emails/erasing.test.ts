import { emailCreate } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import type { Database } from '../../src/db/database.ts'
import { createEmail } from '../../src/emails/create-email.ts'
import { getEmail } from '../../src/emails/get-email.ts'
import { listEmails } from '../../src/emails/list-emails.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { claimHandovers } from '../../src/handover/claim.ts'
import { settleHandover } from '../../src/handover/settle.ts'
import { purgeDeletedAccounts } from '../../src/maintenance/purge-deleted-accounts.ts'
import { newId } from '../../src/new-id.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const ann = 'ann@example.org'
const tables = ['email', 'email_recipient', 'handover', 'email_content', 'mail_key']

describe.each(verbBackends())('erasing emails on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  async function send(accountId: string, input: object): Promise<string> {
    const email = emailCreate.parse({
      from: 'Shop <shop@shop.example>',
      subject: 'Dear Ann',
      text: 'Hello',
      metadata: { customer: 'Ann' },
      ...input,
    })
    return uuidOf('em', (await createEmail(ctx, accountId, email)).email_id)
  }

  async function erase(accountId: string, address: string): Promise<void> {
    await createErasure(ctx, accountId, address)
    await advanceErasures(ctx)
  }

  /** Everything that is stored about an account's emails, as one text. */
  async function stored(accountId: string): Promise<string> {
    const texts = await Promise.all(
      tables.map(async table => {
        const content = table === 'email_content' ? `|| convert_from(content, 'utf8')` : ''
        return await db.query<{ text: string }>(
          `select t::text ${content} as text from ${table} t where account_id = $1`,
          [accountId],
        )
      }),
    )
    return texts
      .flat()
      .map(row => row.text)
      .join('\n')
  }

  const claimAll = async () =>
    await claimHandovers(db, { processId: newId(ctx), leaseMs: 60_000, capacity: 100 })
  const storeNothing = async () => await Promise.resolve(() => {})

  test('an erased person is removed from stored emails and from other recipients’ copies, and gets no email', async () => {
    const accountId = await newAccount(ctx)
    const emailId = await send(accountId, { to: ['Ann Example <ann@EXAMPLE.org>', 'bob@example.org'] })
    expect(await stored(accountId)).toContain('Ann Example')

    await erase(accountId, ann)

    expect((await getEmail(ctx, accountId, emailId)).recipients).toMatchObject([
      { address: 'erased@erased.invalid', state: 'failed', reply: null },
      { address: 'bob@example.org', state: 'queued' },
    ])
    expect(await getEmail(ctx, accountId, emailId)).toMatchObject({ subject: '', metadata: {} })
    const mine = (await claimAll()).filter(one => one.accountId === accountId)
    expect(mine).toMatchObject([
      { address: 'bob@example.org', content: { to: [{ address: 'bob@example.org' }] } },
    ])
    expect(await stored(accountId)).not.toMatch(/ann@example\.org|Ann Example/i)
  })

  test('a person is found and erased in every spelling of the address', async () => {
    const accountId = await newAccount(ctx)
    await send(accountId, { to: ['Ann <Ann@example.org>', 'bob@example.org'] })
    expect(
      (await listEmails(ctx, accountId, { limit: 2, recipient: '"ann"@example.org' })).data,
    ).toHaveLength(1)
    await erase(accountId, 'ANN@example.org.')
    expect(await stored(accountId)).not.toMatch(/ann@example\.org/i)
  })

  test('erasing the only recipient deletes the content, and an email in flight does not restore it', async () => {
    const accountId = await newAccount(ctx)
    const emailId = await send(accountId, { to: [ann] })
    const [held] = (await claimAll()).filter(one => one.accountId === accountId)
    if (held === undefined) throw new Error('nothing was claimed')

    await erase(accountId, ann)

    const result = { kind: 'handed_over', reply: JSON.stringify({ message: `for ${ann}` }) } as const
    expect(await settleHandover(db, held, result, storeNothing)).toBe(false)
    expect((await getEmail(ctx, accountId, emailId)).states).toMatchObject({ failed: 1, handed_over: 0 })
    expect(await stored(accountId)).not.toMatch(/ann@example\.org|Hello/i)
  })

  test('the content is deleted with the last recipient and not before, even if two finish at once', async () => {
    const accountId = await newAccount(ctx)
    await send(accountId, { to: [ann, 'bob@example.org', 'cid@example.org'] })
    const [first, ...others] = (await claimAll()).filter(one => one.accountId === accountId)
    if (first === undefined) throw new Error('nothing was claimed')
    const settle = async (one: typeof first) =>
      await settleHandover(db, one, { kind: 'handed_over', reply: '{}' }, storeNothing)
    await settle(first)
    expect(await stored(accountId)).toContain('Hello')
    expect(await Promise.all(others.map(settle))).toEqual([true, true])
    expect(await stored(accountId)).not.toContain('Hello')
  })

  test('a deleted account leaves none of its emails behind', async () => {
    const accountId = await newAccount(ctx)
    await send(accountId, { to: [ann] })
    expect(await stored(accountId)).toContain('Hello')
    await deleteAccount(ctx, accountId)
    await db.query(`update account set deleted_at = now() - interval '2 hours' where id = $1`, [accountId])
    await purgeDeletedAccounts(ctx.db, Date.now())
    expect(await stored(accountId)).toBe('')
  })
})
