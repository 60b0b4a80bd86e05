import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAuditLog } from '../../src/audit/list-audit-log.ts'
import { loadProfiles } from '../../src/dispatch/sending-profile.ts'
import type { Database } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { putNoticeWebhook } from '../../src/notices/put-notice-webhook.ts'
import { exportSetup } from '../../src/transfer/export-setup.ts'
import { importSetup } from '../../src/transfer/import-setup.ts'
import { checkUrl } from '../../src/webhooks/check-url.ts'
import { checkWebhook } from '../../src/webhooks/check-webhook.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { getWebhook } from '../../src/webhooks/get-webhook.ts'
import { permitLoopback } from '../../src/webhooks/permit-loopback.ts'
import { updateWebhook } from '../../src/webhooks/update-webhook.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const publicUrl = 'https://hooks.example.com/mail'
const url = 'http://127.0.0.1:8080/webhooks'
const origin = 'http://127.0.0.1:8080'

describe.each(verbBackends())('endpoints on this machine, on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  async function newWebhook(accountId: string): Promise<string> {
    return uuidOf('wh', (await createWebhook(ctx, accountId, { url: publicUrl })).id)
  }

  async function permitted(): Promise<{ accountId: string; webhookId: string }> {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)
    await permitLoopback(ctx, accountId, webhookId, { url })
    return { accountId, webhookId }
  }

  /** Reads the permission as the dispatcher does. */
  async function permissionOf(accountId: string, endpointId: string): Promise<string | null | undefined> {
    const options = { seal: ctx.seal, userAgent: 'Posthorn', timings: ctx.settings.timings }
    const profiles = await loadProfiles(db, options, [{ accountId, endpointId }])
    const profile = profiles.get(endpointId)
    return profile === undefined || 'unreadable' in profile ? undefined : profile.loopbackOrigin
  }

  test('the permission moves one endpoint, is audited, and does not affect another endpoint', async () => {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)
    const other = await newWebhook(accountId)
    const before = await getWebhook(ctx, accountId, webhookId)

    const answer = await permitLoopback(ctx, accountId, webhookId, { url: ` ${url} ` })

    expect(answer).toEqual({ webhook_id: before.id, url })
    const after = await getWebhook(ctx, accountId, webhookId)
    expect(after).toEqual({ ...before, url, updated_at: after.updated_at })
    expect(await permissionOf(accountId, webhookId)).toBe(origin)
    expect(await permissionOf(accountId, other)).toBeNull()
    const { data } = await listAuditLog(ctx, accountId, { limit: 1 })
    expect(data).toMatchObject([
      {
        action: 'webhook.loopback_permitted',
        target: before.id,
        before: { url: publicUrl },
        after: { url },
      },
    ])
  })

  test.each([
    publicUrl,
    'http://example.com/',
    'https://127.0.0.1:8080/',
    'http://localhost:8080/',
    'http://127.0.0.2:8080/',
    'http://127.1:8080/',
    'http://0.0.0.0:8080/',
    'http://10.0.0.1:8080/',
    'http://169.254.169.254/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://user@127.0.0.1:8080/',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:8080/#part',
    'http://127.0.0.1.example.com:8080/',
    '127.0.0.1:8080',
  ])('%s cannot be permitted', async refused => {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)

    const asked = permitLoopback(ctx, accountId, webhookId, { url: refused })

    expect(await refusal(asked)).toBe('url_not_allowed')
    expect((await getWebhook(ctx, accountId, webhookId)).url).toBe(publicUrl)
    expect(await permissionOf(accountId, webhookId)).toBeNull()
  })

  test('an endpoint of another account, and the notice webhook, are not found', async () => {
    const { webhookId } = await permitted()
    const stranger = await newAccount(ctx)
    await putNoticeWebhook(ctx, stranger, { url: publicUrl })
    const [notices] = await db.query<{ id: string }>('select id from endpoint where account_id = $1', [
      stranger,
    ])
    for (const id of [webhookId, notices?.id ?? '', newId(ctx)]) {
      expect(await refusal(permitLoopback(ctx, stranger, id, { url }))).toBe('not_found')
    }
  })

  test('changing the URL removes the permission, and changing it back does not restore it', async () => {
    const { accountId, webhookId } = await permitted()
    await updateWebhook(ctx, accountId, webhookId, { url: publicUrl })

    expect(await permissionOf(accountId, webhookId)).toBeNull()
    expect(await refusal(updateWebhook(ctx, accountId, webhookId, { url }))).toBe('url_not_allowed')
    expect(await refusal(createWebhook(ctx, accountId, { url }))).toBe('url_not_allowed')
  })

  test('any other change, even with the same URL, keeps the permission', async () => {
    const { accountId, webhookId } = await permitted()
    await updateWebhook(ctx, accountId, webhookId, { url, description: 'mine', headers: { 'X-One': '1' } })
    await updateWebhook(ctx, accountId, webhookId, { enabled: false })
    await updateWebhook(ctx, accountId, webhookId, { enabled: true })
    expect(await permissionOf(accountId, webhookId)).toBe(origin)
  })

  test.each([`${origin}/other`, 'http://127.0.0.1:8081/webhooks', 'http://localhost:8080/webhooks'])(
    'a permitted endpoint cannot be moved to %s by a customer',
    async elsewhere => {
      const { accountId, webhookId } = await permitted()
      expect(await refusal(updateWebhook(ctx, accountId, webhookId, { url: elsewhere }))).toBe(
        'url_not_allowed',
      )
      expect((await getWebhook(ctx, accountId, webhookId)).url).toBe(url)
    },
  )

  test('another move by the operator replaces the permission', async () => {
    const { accountId, webhookId } = await permitted()
    await permitLoopback(ctx, accountId, webhookId, { url: 'http://[::1]:9090/' })
    expect(await permissionOf(accountId, webhookId)).toBe('http://[::1]:9090')
  })

  test('the database rejects a permission that does not match the URL', async () => {
    const { accountId, webhookId } = await permitted()
    const set = async (assignment: string): Promise<unknown> =>
      await db.query(`update endpoint set ${assignment} where account_id = $1 and id = $2`, [
        accountId,
        webhookId,
      ])
    await expect(set(`url = '${publicUrl}'`)).rejects.toThrow('endpoint_loopback_origin_check')
    await expect(set(`loopback_origin = 'http://127.0.0.1:80'`)).rejects.toThrow(
      'endpoint_loopback_origin_check',
    )
    await expect(set(`url = 'http://10.0.0.1/', loopback_origin = 'http://10.0.0.1'`)).rejects.toThrow(
      'endpoint_loopback_origin_check',
    )
  })

  test('the check of an endpoint uses its own permission, and the check of a URL has none', async () => {
    const { accountId, webhookId } = await permitted()
    const asked: unknown[] = []
    const probe = {
      ...ctx.outside.probe,
      post: (request: object) => {
        asked.push(request)
        return Promise.reject(new Error('posted'))
      },
    }
    const checking = { ...ctx, outside: { ...ctx.outside, probe } }
    await expect(checkWebhook(checking, accountId, webhookId)).rejects.toThrow('posted')
    expect(asked).toMatchObject([{ url, loopbackOrigin: origin }])
    expect(await refusal(checkUrl(checking, accountId, url))).toBe('url_not_allowed')
  })

  test('an export does not carry a permission, and an import does not grant one', async () => {
    const { accountId, webhookId } = await permitted()
    const lines = await exportSetup(db, 1, accountId)
    expect(JSON.stringify(lines)).toContain(url)
    expect(JSON.stringify(lines)).not.toContain('loopback')

    const copyId = newId(ctx)
    const forged = JSON.stringify(lines)
      .replaceAll(webhookId, copyId)
      .replaceAll('"url":', `"loopback_origin":"${origin}","url":`)
    const imported = await importSetup(
      db,
      1,
      (JSON.parse(forged) as object[]).map(line => JSON.stringify(line)),
    )
    expect(imported.endpoint).toBe(1)
    const [row] = await db.query('select url, loopback_origin from endpoint where id = $1', [copyId])
    expect(row).toEqual({ url, loopback_origin: null })
  })
})
