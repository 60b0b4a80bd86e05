import { type AuditEntry, type Route, routes, type SigningKey } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { operatorId } from '../../src/domain/operator-id.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { purgeDeletedAccounts } from '../../src/maintenance/purge-deleted-accounts.ts'
import { newPortalLink } from '../http/sign-in.ts'
import { call, newCustomer, openTestApp, operatorToken, randomKey, type TestApp } from '../http/test-app.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { verbContext } from '../verbs/verb-context.ts'

const since = '2026-01-01T00:00:00Z'

/** Mutations without audit entries, because events, deliveries and attempts record what they do. */
const unaudited = new Set([
  'reportOutcomes',
  'reportPostfix',
  'reportKumomta',
  'reportMessage',
  'createEmail',
  'retryDelivery',
  'sendTestEvent',
  'checkWebhook',
  'checkUrl',
  'checkSendingDomain',
  'createSession',
  'createProxySession',
  'deleteSession',
  'exchangePortalSession',
])

describe.each(verbBackends())('the audit log on $name', backend => {
  let db: Database
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    // a domain's links can point only to a public host
    const outside = { ...ctx.outside, publicUrl: () => 'https://mail.posthorn.example' }
    app = await openTestApp(db, { ctx: { ...ctx, outside } })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const entriesOf = async (accountId: string, query = ''): Promise<AuditEntry[]> => {
    const url = `/v1/audit-log?account_id=${accountId}&limit=250${query}`
    const { status, body } = await call(app, 'GET', url, { as: operatorToken })
    expect(status, JSON.stringify(body)).toBe(200)
    return body['data'] as AuditEntry[]
  }

  /** Creates everything that the mutations need. */
  const setUp = async () => {
    const customer = await newCustomer(app)
    const as = customer.apiKey
    const webhook = await call(app, 'POST', '/v1/webhooks', {
      as,
      json: { url: 'https://a.example/', headers: { 'X-Token': 'canary-value' } },
    })
    const keys = `/v1/webhooks/${webhook.body.id}/signing-keys`
    const staged = await call(app, 'POST', `${keys}/stage`, { as })
    await call(app, 'PUT', '/v1/notice-webhook', { as, json: { url: 'https://n.example/' } })
    await call(app, 'PUT', '/v1/notice-email', { as, json: { address: 'night@a.example' } })
    const suppressed = await call(app, 'POST', '/v1/suppressions', { as, json: { address: 'ann@a.example' } })
    const domain = await call(app, 'POST', '/v1/domains', { as, json: { name: 'mail.a.example' } })
    const replay = await call(app, 'POST', `/v1/webhooks/${webhook.body.id}/replays`, { as, json: { since } })
    const source = await call(app, 'POST', `/v1/accounts/${customer.accountId}/sources`, {
      as: operatorToken,
      json: { kind: 'mailgun', key: 'a-webhook-signing-key' },
    })
    const named = await call(app, 'POST', '/v1/operators', {
      as: operatorToken,
      json: { name: randomKey(), role: 'view' },
    })
    const link = await newPortalLink(app, { account_id: customer.accountId })
    return {
      ...customer,
      webhookId: webhook.body.id,
      stagedId: staged.body.key_id,
      portalId: link.id,
      namedId: named.body.id,
      suppressionId: suppressed.body.id,
      domainId: domain.body.id,
      sourceId: source.body.id,
      replayId: replay.body.id,
    }
  }

  /** A valid payload for each mutation, and the action that it must log. */
  const mutations: Record<
    string,
    { json?: (accountId: string) => object; csv?: string; action: AuditEntry['action'] }
  > = {
    createAccount: { json: () => ({ name: 'New' }), action: 'account.created' },
    updateAccount: { json: () => ({ name: 'Other' }), action: 'account.updated' },
    deleteAccount: { action: 'account.deleted' },
    createApiKey: { json: () => ({ name: 'k', scopes: ['read'] }), action: 'api_key.created' },
    createOwnApiKey: { json: () => ({ name: 'k', scopes: ['read'] }), action: 'api_key.created' },
    revokeOwnApiKey: { action: 'api_key.revoked' },
    revokeApiKey: { action: 'api_key.revoked' },
    createWebhook: { json: () => ({ url: 'https://b.example/' }), action: 'webhook.created' },
    updateWebhook: { json: () => ({ description: 'x' }), action: 'webhook.updated' },
    deleteWebhook: { action: 'webhook.deleted' },
    permitLoopback: { json: () => ({ url: 'http://127.0.0.1:8080/' }), action: 'webhook.loopback_permitted' },
    stageSigningKey: { action: 'signing_key.staged' },
    promoteSigningKey: { action: 'signing_key.promoted' },
    retireSigningKey: { action: 'signing_key.retired' },
    putNoticeWebhook: { json: () => ({ url: 'https://m.example/' }), action: 'notice_webhook.updated' },
    deleteNoticeWebhook: { action: 'notice_webhook.deleted' },
    putNoticeEmail: { json: () => ({ address: 'ops@a.example' }), action: 'notice_email.set' },
    deleteNoticeEmail: { action: 'notice_email.deleted' },
    createSuppression: { json: () => ({ address: 'bob@a.example' }), action: 'suppression.created' },
    liftSuppression: { action: 'suppression.lifted' },
    importSuppressions: { csv: 'address\na@a.example\nb@a.example\n', action: 'suppression.imported' },
    updateBranding: { json: () => ({ name: 'Acme' }), action: 'branding.updated' },
    createSendingDomain: { json: () => ({ name: 'b.example' }), action: 'domain.created' },
    updateSendingDomain: { json: () => ({ link_host: 'links.mail.a.example' }), action: 'domain.updated' },
    deleteSendingDomain: { action: 'domain.deleted' },
    createProviderSource: {
      json: () => ({ kind: 'mailgun', key: 'a-webhook-signing-key' }),
      action: 'source.created',
    },
    deleteProviderSource: { action: 'source.deleted' },
    createReplay: { json: () => ({ since }), action: 'replay.created' },
    cancelReplay: { action: 'replay.cancelled' },
    createErasure: { json: () => ({ recipient: 'ann@a.example' }), action: 'erasure.created' },
    createPortalSession: { json: account_id => ({ account_id }), action: 'portal_session.created' },
    revokePortalSession: { action: 'portal_session.revoked' },
    confirmClock: { action: 'clock.confirmed' },
    createOperator: { json: () => ({ name: randomKey(), role: 'view' }), action: 'operator.created' },
    removeOperator: { action: 'operator.removed' },
  }

  const changing = Object.values<Route>(routes).filter(
    ({ method, operationId }) => method !== 'GET' && !unaudited.has(operationId),
  )

  test.each(changing.map(route => [`${route.method} ${route.path}`, route] as const))(
    '%s writes exactly one entry, with the actor and the request id',
    async (_, route) => {
      const mutation = mutations[route.operationId]
      if (mutation === undefined)
        throw new Error(`${route.operationId} is neither audited nor known not to be`)
      const things = await setUp()
      // a mutation that belongs to no account has its entry among the operator's
      const ofNobody = ['confirmClock', 'createOperator', 'removeOperator'].includes(route.operationId)
      const listed = ofNobody ? typeId('acct', operatorId) : things.accountId
      const before = await entriesOf(listed)
      const isOperators = route.auth === 'operator'
      const path = route.path
        .replace('/accounts/{id}', `/accounts/${things.accountId}`)
        .replace('/portal-sessions/{id}', `/portal-sessions/${things.portalId}`)
        .replace('/operators/{id}', `/operators/${things.namedId}`)
        .replace('/suppressions/{id}', `/suppressions/${things.suppressionId}`)
        .replace('/replays/{id}', `/replays/${things.replayId}`)
        .replace('/domains/{id}', `/domains/${things.domainId}`)
        .replace(/api-keys\/\{(id|key_id)\}/, `api-keys/${things.keyId}`)
        .replace('{id}', things.webhookId)
        .replace('{source_id}', things.sourceId)
        .replace('{webhook_id}', things.webhookId)
        .replace('{key_id}', things.stagedId)
      const answer = await call(app, route.method, path, {
        as: isOperators ? operatorToken : things.apiKey,
        ...(mutation.json !== undefined && { json: mutation.json(things.accountId) }),
        ...(mutation.csv !== undefined && {
          payload: mutation.csv,
          headers: { 'content-type': 'text/csv' },
        }),
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(route.success.status)

      const accountId = route.operationId === 'createAccount' ? answer.body.id : listed
      const after = await entriesOf(accountId)
      const added = after.filter(entry => !before.some(one => one.id === entry.id))
      expect(added).toMatchObject([
        {
          action: mutation.action,
          actor: isOperators
            ? { kind: 'operator', api_key_id: null, operator: { name: 'operator', method: 'admin_token' } }
            : { kind: 'api_key', api_key_id: things.keyId },
          request_id: answer.headers['x-request-id'],
        },
      ])
    },
  )

  test('an update of an account that changes nothing leaves no entry', async () => {
    const { accountId } = await newCustomer(app)
    const update = async (json: object): Promise<void> => {
      const { status } = await call(app, 'PATCH', `/v1/accounts/${accountId}`, { as: operatorToken, json })
      expect(status).toBe(200)
    }
    const updates = async (): Promise<number> =>
      (await entriesOf(accountId, '&action=account.updated')).length
    await update({ suspended: false })
    expect(await updates()).toBe(0)
    await update({ suspended: true })
    await update({ suspended: true, max_endpoints: 10 })
    expect(await updates()).toBe(1)
    await update({ suspended: false })
    expect(await updates()).toBe(2)
  })

  test('a rejected mutation leaves no entry', async () => {
    const { accountId, apiKey: as, webhookId } = await setUp()
    const before = await entriesOf(accountId)
    const primary = (await call(app, 'GET', `/v1/webhooks/${webhookId}/signing-keys`, { as })).body[
      'data'
    ] as SigningKey[]
    const refused = [
      await call(app, 'POST', '/v1/webhooks', { as, json: { url: 'http://10.0.0.1/' } }),
      await call(app, 'PATCH', `/v1/webhooks/${webhookId}`, { as, json: { headers: { Host: 'x' } } }),
      await call(app, 'POST', `/v1/webhooks/${webhookId}/signing-keys/${primary.at(-1)?.key_id}/retire`, {
        as,
      }),
    ]
    expect(refused.map(answer => answer.status)).toEqual([422, 422, 409])
    expect(await entriesOf(accountId)).toEqual(before)
  })

  test('a request repeated with the same Idempotency-Key leaves no second entry', async () => {
    const { accountId, apiKey: as } = await newCustomer(app)
    const request = { as, json: { url: 'https://a.example/' }, headers: { 'idempotency-key': 'once' } }
    await call(app, 'POST', '/v1/webhooks', request)
    await call(app, 'POST', '/v1/webhooks', request)
    expect(await entriesOf(accountId, '&action=webhook.created')).toHaveLength(1)
  })

  test('an entry shows the values before and after, and no secret', async () => {
    const { accountId, apiKey: as, webhookId } = await setUp()
    await call(app, 'PATCH', `/v1/webhooks/${webhookId}`, {
      as,
      json: { url: 'https://c.example/', headers: { 'X-Token': 'canary-other' } },
    })
    const [entry] = await entriesOf(accountId, '&action=webhook.updated')
    expect(entry).toMatchObject({
      target: webhookId,
      before: { url: 'https://a.example/', headers: { 'X-Token': '***' } },
      after: { url: 'https://c.example/', headers: { 'X-Token': '***' } },
    })
    const everything = JSON.stringify(await entriesOf(accountId))
    expect(everything).not.toMatch(/canary|whsec_\w{20}|phk_\w{20}/)
  })

  test('the entry of an erasure says who requested it, but not whose data is erased', async () => {
    const { accountId, apiKey: as, keyId } = await setUp()
    const json = { recipient: 'ann@a.example' }
    const { body: erasure } = await call(app, 'POST', '/v1/erasures', { as, json })
    const entries = await entriesOf(accountId)
    expect(entries[0]).toMatchObject({
      action: 'erasure.created',
      target: erasure.id,
      actor: { api_key_id: keyId },
    })
    expect(JSON.stringify(entries)).not.toContain(json.recipient)
  })

  test('entries are filtered by action, target and time, and paged', async () => {
    const { accountId, apiKey: as, webhookId } = await setUp()
    const all = await entriesOf(accountId)
    expect(await entriesOf(accountId, `&target=${webhookId}`)).toEqual(
      all.filter(one => one.target === webhookId),
    )
    const actions = 'webhook.created,signing_key.staged'
    expect(await entriesOf(accountId, `&action=${actions}`)).toEqual(
      all.filter(one => actions.split(',').includes(one.action)),
    )
    expect(await entriesOf(accountId, '&until=2020-01-01T00:00:00Z')).toEqual([])
    expect(await entriesOf(accountId, '&since=2020-01-01T00:00:00Z')).toEqual(all)

    const paged: AuditEntry[] = []
    let cursor = ''
    do {
      const { body } = await call(app, 'GET', `/v1/audit-log?limit=1${cursor && `&cursor=${cursor}`}`, { as })
      paged.push(...(body['data'] as AuditEntry[]))
      cursor = (body['next_cursor'] as string | null) ?? ''
    } while (cursor !== '')
    // only the operator learns the names of operators
    const shown = all.map(entry => ({ ...entry, actor: { ...entry.actor, operator: null } }))
    expect(paged).toEqual(shown)
  })

  test('an API key sees only its own account; the operator sees entries without an account by default', async () => {
    const [mine, other] = [await setUp(), await newCustomer(app)]
    const own = await call(app, 'GET', `/v1/audit-log?account_id=${mine.accountId}`, { as: mine.apiKey })
    expect(own.status).toBe(200)
    const foreign = await call(app, 'GET', `/v1/audit-log?account_id=${other.accountId}`, { as: mine.apiKey })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'account_mismatch'])
    await call(app, 'POST', '/v1/system/confirm-clock', { as: operatorToken })
    const unnamed = await call(app, 'GET', '/v1/audit-log', { as: operatorToken })
    expect(unnamed.status).toBe(200)
    const concerned = (unnamed.body['data'] as AuditEntry[]).map(entry => entry.action)
    expect(new Set(concerned)).toEqual(new Set(['clock.confirmed', 'operator.created', 'operator.removed']))
  })

  test('entries cannot be changed, and go only with their account, which leaves one entry about its deletion', async () => {
    const { accountId, accountUuid } = await setUp()
    for (const statement of ["update audit_entry set action = 'x'", 'delete from audit_entry']) {
      await expect(db.query(`${statement} where account_id = $1`, [accountUuid])).rejects.toThrow(
        'append-only',
      )
    }
    await call(app, 'DELETE', `/v1/accounts/${accountId}`, { as: operatorToken })
    await db.query(`update account set deleted_at = now() - interval '2 hours' where id = $1`, [accountUuid])
    await purgeDeletedAccounts(app.ctx.db, Date.now())
    expect(await entriesOf(accountId)).toMatchObject([
      { action: 'account.deleted', target: accountId, before: null, after: null },
    ])
  })
})
