import { emailCreate } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { createSendingDomain } from '../../src/domains/create-sending-domain.ts'
import { parseSmtpUrl } from '../../src/domain/smtp-url.ts'
import { createEmail } from '../../src/emails/create-email.ts'
import { type ClaimedHandover, claimHandovers } from '../../src/handover/claim.ts'
import { outcomeOf } from '../../src/handover/outcome-of.ts'
import { prepareHandover } from '../../src/handover/prepare.ts'
import { openSubmitter } from '../../src/handover/submit.ts'
import { newId } from '../../src/new-id.ts'
import { headerOf, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { verifyDkim } from '../support/verify-dkim.ts'
import { newAccount, verbContext, type VerbContext } from '../verbs/verb-context.ts'

describe.each(verbBackends())('signing on $name', backend => {
  let db: Database
  let ctx: VerbContext
  let sink: SmtpSink
  let senders = 0
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
    sink = await startSmtpSink()
  })
  afterAll(async () => {
    await sink[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  /** Creates an account with a verified domain, and publishes its DNS records. */
  async function newSender(): Promise<{ accountId: string; publicKey: string; domain: string }> {
    const accountId = await newAccount(ctx)
    const domain = `acme${++senders}.example`
    await createSendingDomain(ctx, accountId, { name: domain })
    const [row] = await db.query<{ public_key: string }>(
      'update sending_domain set verified_at = now() where account_id = $1 returning public_key',
      [accountId],
    )
    return { accountId, publicKey: row?.public_key ?? '', domain }
  }

  async function claimOne(accountId: string, input: object): Promise<ClaimedHandover> {
    const email = emailCreate.parse({
      from: 'Ünal <hi@other.example>',
      subject: 'Grüße',
      text: 'a \r\n\r\nb',
      ...input,
    })
    await createEmail(ctx, accountId, email)
    const claimed = await claimHandovers(db, { processId: newId(ctx), leaseMs: 60_000, capacity: 100 })
    const mine = claimed.find(one => one.accountId === accountId)
    if (mine === undefined) throw new Error('nothing was claimed')
    return mine
  }

  async function sent(handover: ClaimedHandover): Promise<Buffer> {
    const prepared = await prepareHandover(ctx, handover)
    if (prepared.kind !== 'message') throw new Error(prepared.kind)
    const submitter = openSubmitter(parseSmtpUrl(sink.url), 1)
    expect(await submitter.submit(prepared.message)).toMatchObject({ kind: 'accepted' })
    submitter.close()
    return sink.for(handover.address).at(-1)?.raw ?? Buffer.alloc(0)
  }

  test('a DKIM signature verifies with the domain’s public key and covers both List-Unsubscribe fields', async () => {
    const { accountId, publicKey, domain } = await newSender()
    const html = `<p>${'é long line '.repeat(200)}</p>`
    const attachments = [{ filename: 'Rechnung é.pdf', content: Buffer.alloc(5_000, 7).toString('base64') }]
    const raw = await sent(
      await claimOne(accountId, {
        from: `Ünal <hi@${domain}>`,
        to: ['ann@one.example'],
        html,
        attachments,
        unsubscribe: {},
      }),
    )
    const tags = verifyDkim(raw, publicKey)
    expect(tags).toMatchObject({ d: domain, a: 'rsa-sha256' })
    expect(tags?.['h']?.split(':')).toEqual(
      expect.arrayContaining([
        'From',
        'To',
        'Subject',
        'Date',
        'Message-ID',
        'List-Unsubscribe',
        'List-Unsubscribe-Post',
      ]),
    )
    const altered = Buffer.from(
      raw.toString('latin1').replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=No'),
      'latin1',
    )
    expect(verifyDkim(altered, publicKey)).toBeNull()
    expect(verifyDkim(raw, (await newSender()).publicKey)).toBeNull()
  })

  test.each(['From', 'To', 'Subject', 'List-Unsubscribe', 'List-Unsubscribe-Post'])(
    'a signature breaks if somebody adds another %s field',
    async name => {
      const { accountId, publicKey, domain } = await newSender()
      const raw = await sent(
        await claimOne(accountId, { from: `hi@${domain}`, to: ['dan@one.example'], unsubscribe: {} }),
      )
      const added = (field: string) => Buffer.concat([Buffer.from(`${field}: eve@evil.example\r\n`), raw])
      expect(verifyDkim(added('X-Own'), publicKey)).not.toBeNull()
      expect(verifyDkim(added(name), publicKey)).toBeNull()
    },
  )

  test('nobody can add an unsubscribe link to a signed receipt', async () => {
    const { accountId, publicKey, domain } = await newSender()
    const raw = await sent(await claimOne(accountId, { from: `hi@${domain}`, to: ['eli@one.example'] }))
    expect(verifyDkim(raw, publicKey)).not.toBeNull()
    const added = Buffer.concat([Buffer.from('List-Unsubscribe: <https://evil.example>\r\n'), raw])
    expect(verifyDkim(added, publicKey)).toBeNull()
  })

  test('mail from a domain without a verified key is not signed', async () => {
    const { accountId } = await newSender()
    const raw = await sent(await claimOne(accountId, { to: ['bob@one.example'] }))
    expect(headerOf(raw, 'DKIM-Signature')).toBeNull()
  })

  test('with an unusable key, nothing is sent, and the failure has the signing category', async () => {
    const { accountId, domain } = await newSender()
    await db.query(`update sending_domain set private_key_sealed = '\\x00' where account_id = $1`, [
      accountId,
    ])
    const handover = await claimOne(accountId, { from: `hi@${domain}`, to: ['cid@one.example'] })
    const prepared = await prepareHandover(ctx, handover)
    expect(prepared).toEqual({ kind: 'unsignable' })
    expect(outcomeOf(handover, { kind: 'unsignable' }, Date.now())).toMatchObject({
      type: 'email.failed',
      data: { to: ['cid@one.example'], failure: { category: 'signing', reason: 'dkim_key_invalid' } },
    })
  })
})
