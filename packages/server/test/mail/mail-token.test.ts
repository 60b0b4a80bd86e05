import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import type { Database } from '../../src/db/database.ts'
import type { MailToken } from '../../src/domain/mail-token.ts'
import { currentMailKey } from '../../src/mail/mail-key.ts'
import { encodeMailToken, encodeUnsubscribeLink } from '../../src/mail/mail-token.ts'
import { readMailToken } from '../../src/mail/read-mail-token.ts'
import { newId } from '../../src/new-id.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { newAccount, verbContext, type VerbContext } from '../verbs/verb-context.ts'

describe.each(verbBackends())('tokens in mails on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  async function newEmail(accountId: string): Promise<string> {
    const emailId = newId(ctx)
    await db.query(
      `insert into email (account_id, id, from_address, subject, message_id, unsubscribable, unsubscribe_list)
       values ($1, $2, 'shop@shop.example', 'News', 'x@shop.example', true, 'news')`,
      [accountId, emailId],
    )
    await db.query(
      `insert into email_recipient (account_id, email_id, number, field, address, folded_address)
       values ($1, $2, 1, 'to', 'ann@example.org', 'ann@example.org'), ($1, $2, 2, 'to', 'bob@example.org', 'bob@example.org')`,
      [accountId, emailId],
    )
    return emailId
  }

  async function newToken(purpose: MailToken['purpose'] = 'return_path') {
    const accountId = await newAccount(ctx)
    const emailId = await newEmail(accountId)
    const key = await currentMailKey(ctx, accountId, 'token')
    const token: MailToken = { purpose, keyNumber: key.number, emailId, recipientNumber: 2 }
    const named = {
      accountId,
      emailId,
      recipientNumber: 2,
      address: 'bob@example.org',
      list: 'news',
      isErased: false,
    }
    return { key, token, named, text: encodeMailToken(token, key.secret) }
  }

  test('a token names account, email and recipient, even if a mail server changed its case', async () => {
    const { text, named } = await newToken()
    expect(await readMailToken(ctx, text, 'return_path')).toEqual(named)
    expect(await readMailToken(ctx, text.toUpperCase(), 'return_path')).toEqual(named)
  })

  test('a token is valid only for its own purpose, and not with one character changed', async () => {
    const { text } = await newToken()
    expect(await readMailToken(ctx, text, 'unsubscribe')).toBeNull()
    for (const at of [0, 5, 20, 32, 33, 52]) {
      const other = text[at] === 'x' ? 'y' : 'x'
      expect(
        await readMailToken(ctx, text.slice(0, at) + other + text.slice(at + 1), 'return_path'),
      ).toBeNull()
    }
  })

  test('a token made with another key is rejected, even for an email that exists', async () => {
    const { token } = await newToken()
    expect(await readMailToken(ctx, encodeMailToken(token, randomBytes(32)), 'return_path')).toBeNull()
  })

  test('an unsubscribe link works after its email was deleted, and only with its own token', async () => {
    const { token, key, named } = await newToken('unsubscribe')
    const other = await newToken('unsubscribe')
    const link = encodeUnsubscribeLink(token, { address: 'bob@example.org', list: 'news' }, key.secret)
    expect(link).toMatch(/^[\w.-]+$/)
    await db.query('delete from email_recipient where account_id = $1', [named.accountId])
    await db.query('delete from email where account_id = $1', [named.accountId])
    expect(await readMailToken(ctx, link, 'unsubscribe')).toEqual(named)

    const carried = link.slice(link.indexOf('.'))
    expect(await readMailToken(ctx, other.text + carried, 'unsubscribe')).toBeNull()
    expect(await readMailToken(ctx, `${link.slice(0, -2)}AA`, 'unsubscribe')).toBeNull()
    expect(await readMailToken(ctx, link.slice(0, link.indexOf('.') + 4), 'unsubscribe')).toBeNull()
  })

  test('simultaneous requests get the same current key of an account, and a retired key still verifies', async () => {
    const accountId = await newAccount(ctx)
    const keys = await Promise.all(Array.from({ length: 8 }, () => currentMailKey(ctx, accountId, 'token')))
    expect(new Set(keys.map(key => key.number)).size).toBe(1)
    const { key, text, named } = await newToken()
    await db.query('update mail_key set retired_at = now() where account_id = $1', [named.accountId])
    expect(await readMailToken(ctx, text, 'return_path')).toEqual(named)
    const next = await currentMailKey(ctx, named.accountId, 'token')
    expect(next.secret).not.toEqual(key.secret)
    expect(await readMailToken(ctx, text, 'return_path')).toEqual(named)
    const { emailId, recipientNumber } = named
    const token: MailToken = { purpose: 'return_path', keyNumber: next.number, emailId, recipientNumber }
    expect(await readMailToken(ctx, encodeMailToken(token, next.secret), 'return_path')).toEqual(named)
  })

  test('a token of a deleted account is rejected', async () => {
    const { text, named } = await newToken()
    await deleteAccount(ctx, named.accountId)
    expect(await readMailToken(ctx, text, 'return_path')).toBeNull()
  })
})
