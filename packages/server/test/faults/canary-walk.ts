import { randomBytes } from 'node:crypto'
import { until } from '../support/until.ts'
import type { Canaries } from './canaries.ts'
import type { Answer, Journey } from './journey.ts'

/** What a walk through the whole API needs. */
export interface Walk {
  journey: Journey
  canaries: Canaries
  /** A new secret that no place may show. */
  secret: (name: string) => string
  operator: string
  receiverUrl: string
  origin: string
}

/** The customer may read URLs, but logs must not contain them. */
const notLogged = (where: string): boolean =>
  !/^(output of the service|answer \d+: [45])|\/metrics/.test(where)

export async function openAccount({ journey, operator: as }: Walk): Promise<string> {
  const { body } = await journey.use('createAccount', { as, body: { name: 'Acme', max_endpoints: 20 } })
  const ids = { id: body['id'] ?? '' }
  await journey.use('updateAccount', { as, ids, body: { name: 'Acme mail' } })
  await journey.use('getAccount', { as, ids })
  await journey.use('listAccounts', { as })
  return ids.id
}

export async function makeApiKeys(
  { journey, canaries, operator: as }: Walk,
  accountId: string,
): Promise<string> {
  const ids = { id: accountId }
  const create = async (name: string): Promise<{ id: string; key: string }> => {
    const request = {
      as,
      ids,
      body: { name, scopes: ['read', 'send', 'ingest', 'keys'] },
      headers: { 'idempotency-key': name },
    }
    const answer = await journey.use('createApiKey', request)
    await journey.use('createApiKey', request)
    return { id: answer.body['id'] ?? '', key: shown(canaries, answer, 'API key', 'api_key') }
  }
  const kept = await create('kept')
  const revoked = await create('revoked')
  await journey.use('revokeApiKey', { as, ids: { ...ids, key_id: revoked.id } })
  await journey.use('listWebhooks', { as: revoked.key, refused: 401 })
  await journey.use('listApiKeys', { as, ids })
  await journey.use('listOwnApiKeys', { as: kept.key })
  const request = {
    as: kept.key,
    body: { name: 'own', scopes: ['read'] },
    headers: { 'idempotency-key': 'own' },
  }
  const own = await journey.use('createOwnApiKey', request)
  await journey.use('createOwnApiKey', request)
  shown(canaries, own, 'own API key', 'api_key')
  await journey.use('revokeOwnApiKey', { as: kept.key, ids: { id: own.body['id'] ?? '' } })
  return kept.key
}

export async function connectProvider(
  { journey, canaries, secret, operator: as }: Walk,
  accountId: string,
): Promise<void> {
  const ids = { id: accountId }
  const request = {
    as,
    ids,
    body: { kind: 'mailgun', key: secret('key of a provider') },
    headers: { 'idempotency-key': 'source' },
  }
  const answer = await journey.use('createProviderSource', request)
  shown(canaries, answer, 'URL of a source', 'report_url')
  await journey.use('createProviderSource', request)
  await journey.use('listProviderSources', { as, ids })
  await journey.use('deleteProviderSource', { as, ids: { ...ids, source_id: answer.body['id'] ?? '' } })
}

export async function keepWebhook(
  { journey, canaries, secret, receiverUrl, operator }: Walk,
  as: string,
  accountId: string,
): Promise<string> {
  const urlQuery = canaries.add('query of a URL', `urlquery${hex()}`, notLogged)
  const request = {
    as,
    body: { url: `${receiverUrl}?key=${urlQuery}`, headers: { 'X-Token': secret('header value') } },
    headers: { 'idempotency-key': 'webhook' },
  }
  const created = await journey.use('createWebhook', request)
  shown(canaries, created, 'signing secret', 'secret')
  await journey.use('createWebhook', request)
  const ids = { id: created.body['id'] ?? '' }
  const headers = { 'X-Token': '***', 'X-Other': secret('other header value') }
  await journey.use('updateWebhook', { as, ids, body: { headers } })
  await journey.use('permitLoopback', {
    as: operator,
    ids: { id: accountId, webhook_id: ids.id },
    body: { url: request.body.url },
  })
  await journey.use('getWebhook', { as, ids })
  await journey.use('listWebhooks', { as })
  const fails = { url: `${receiverUrl.replace('hook', 'fails')}?key=${urlQuery}`, enabled: true }
  shown(canaries, await journey.use('createWebhook', { as, body: fails }), 'signing secret', 'secret')
  return ids.id
}

export async function changeKeys({ journey, canaries }: Walk, as: string, id: string): Promise<void> {
  const stage = async (): Promise<string> => {
    const staged = await journey.use('stageSigningKey', { as, ids: { id } })
    shown(canaries, staged, 'staged secret', 'secret')
    return staged.body['key_id'] ?? ''
  }
  await journey.use('promoteSigningKey', { as, ids: { id, key_id: await stage() } })
  await journey.use('retireSigningKey', { as, ids: { id, key_id: await stage() } })
  await stage()
  await journey.use('listSigningKeys', { as, ids: { id } })
}

export async function sendAndSearch(
  { journey, canaries, receiverUrl }: Walk,
  as: string,
  id: string,
): Promise<void> {
  const saved = await journey.use('putNoticeWebhook', { as, body: { url: `${receiverUrl}/notices` } })
  shown(canaries, saved, 'notice secret', 'secret')
  await journey.use('getNoticeWebhook', { as })
  await journey.use('reportOutcomes', { as, body: outcome() })
  const event = await journey.use('sendTestEvent', { as, ids: { id }, body: { type: 'email.bounced' } })
  const delivery = { id: event.body['delivery_id'] ?? '' }
  await until('it is delivered', async () => {
    return (await journey.use('getDelivery', { as, ids: delivery })).body['state'] === 'delivered'
  })
  await journey.use('retryDelivery', { as, ids: delivery })
  await journey.use('checkWebhook', { as, ids: { id } })
  await journey.use('checkUrl', { as, body: { url: `${receiverUrl}?key=checked` } })
  await journey.use('listDeliveries', { as, ids: { id } })
  await journey.use('searchDeliveries', { as })
  await journey.use('listEvents', { as })
  await journey.use('getEvent', { as, ids: { id: event.body['event_id'] ?? '' } })
  await journey.use('listEventTypes', { as })
  await journey.use('getWebhookHealth', { as, ids: { id } })
  await journey.use('listWebhookHealth', { as })
  await journey.use('getStats', { as })
  const since = '2026-01-01T00:00:00.000Z'
  const replay = await journey.use('createReplay', {
    as,
    ids: { id },
    body: { since, states: ['delivered'] },
  })
  await journey.use('listReplays', { as, ids: { id } })
  await journey.use('listAllReplays', { as })
  await journey.use('getReplay', { as, ids: { id: replay.body['id'] ?? '' } })
  await journey.use('cancelReplay', { as, ids: { id: replay.body['id'] ?? '' } })
  await journey.use('deleteNoticeWebhook', { as })
  await journey.use('listAuditLog', { as })
}

export async function mail({ journey }: Walk, as: string): Promise<void> {
  await journey.use('putNoticeEmail', { as, body: { address: 'ops@acme.example' } })
  await journey.use('getNoticeEmail', { as })
  await journey.use('deleteNoticeEmail', { as })
  await journey.use('updateBranding', { as, body: { name: 'Acme' } })
  await journey.use('getBranding', { as })
  const domain = await journey.use('createSendingDomain', { as, body: { name: 'acme.example' } })
  const ids = { id: domain.body['id'] ?? '' }
  await journey.use('updateSendingDomain', { as, ids, body: { link_host: null } })
  await journey.use('checkSendingDomain', { as, ids })
  await journey.use('getSendingDomain', { as, ids })
  await journey.use('listSendingDomains', { as })
  const letter = { from: 'a@acme.example', to: ['b@example.org'], subject: 'Hi', text: 'Hi' }
  const email = await journey.use('createEmail', { as, body: letter })
  await journey.use('getEmail', { as, ids: { id: email.body['email_id'] ?? '' } })
  await journey.use('listEmails', { as })
  await journey.use('getSendingLimits', { as })
  await journey.use('findAddresses', { as, query: '?prefix=ann@' })
  await journey.use('reportPostfix', { as, body: { records: [postfixRecord] } })
  await journey.use('reportKumomta', { as, body: { type: 'Delivery' } })
  await journey.use('reportMessage', { as, body: 'Subject: none of ours\r\n\r\nHello\r\n' })
  const made = await journey.use('createSuppression', { as, body: { address: 'ann@example.org' } })
  await journey.use('importSuppressions', { as, body: 'address\r\nben@example.org\r\n' })
  await journey.use('exportSuppressions', { as })
  await journey.use('listSuppressions', { as })
  await journey.use('countSuppressions', { as })
  await journey.use('liftSuppression', { as, ids: { id: made.body['id'] ?? '' } })
  const erasure = await journey.use('createErasure', { as, body: { recipient: 'ann@example.org' } })
  await journey.use('getErasure', { as, ids: { id: erasure.body['id'] ?? '' } })
  await journey.use('deleteSendingDomain', { as, ids })
}

export async function signIn(
  { journey, canaries, origin, operator }: Walk,
  apiKey: string,
  accountId: string,
): Promise<void> {
  for (const credential of [apiKey, operator]) {
    const answer = await journey.use('createSession', { body: { credential }, headers: { origin } })
    const token = /phs_[\w-]{43}/.exec(answer.headers.get('set-cookie') ?? '')?.[0]
    const cookie = `posthorn=${canaries.shownIn(answer.where, 'session token', token)}`
    const as = { cookie, origin, 'x-csrf-token': answer.body['csrf_token'] ?? '' }
    await journey.use('getSession', { as })
    const page = await fetch(`${origin}/`, { headers: { cookie } })
    canaries.wrote('the dashboard’s page', await page.text())
    await journey.use('deleteSession', { as: { ...as, 'x-csrf-token': 'wrong' }, refused: 403 })
    await journey.use('deleteSession', { as })
  }
  const link = await journey.use('createPortalSession', {
    as: operator,
    body: { account_id: accountId },
    headers: { 'idempotency-key': 'portal' },
  })
  const token = canaries.shownIn(link.where, 'portal link', link.body['url']?.split('#')[1])
  const ids = { id: link.body['id'] ?? '' }
  const opened = await journey.use('exchangePortalSession', { ids, body: { token, embedded: true } })
  const bearer = shown(canaries, opened, 'portal token', 'access_token')
  await journey.use('listWebhooks', { as: bearer })
  await journey.use('exchangePortalSession', { ids, body: { token, embedded: true }, refused: 410 })
  await journey.use('listPortalSessions', { as: operator })
  await journey.use('revokePortalSession', { as: operator, ids })
}

export async function operate({ journey, operator: as }: Walk): Promise<void> {
  await journey.use('getSystem', { as })
  await journey.use('getSystemHealth', { as })
  await journey.use('confirmClock', { as })
  await journey.use('getBackup', { as, refused: 404 })
  await journey.use('listAuditLog', { as })
  await journey.use('getHealth')
  await journey.use('getReadiness')
  await journey.use('getMetrics')
  await journey.use('getOpenApi')
}

/** A refusal must not repeat what it refuses. */
export async function beRefused({ journey, secret }: Walk, as: string): Promise<void> {
  const url = 'https://hooks.example.com/'
  await journey.use('listWebhooks', { as: `phk_${secret('key of nobody')}`, refused: 401 })
  await journey.use('listWebhooks', { as, query: `?api_key=${secret('key in a query')}`, refused: 422 })
  await journey.use('createSession', { body: { credential: secret('wrong credential') }, refused: 401 })
  await journey.use('createSession', { body: { credential: { a: secret('odd credential') } }, refused: 422 })
  const wrong: Array<[object | string, number]> = [
    [{ url: `https://user:${secret('password in a URL')}@hooks.example.com/` }, 422],
    [{ url: `http://hooks.example.com:1/${secret('path of a URL')}`, enabled: secret('a wrong type') }, 422],
    [{ url, headers: { 'Bad name': secret('value of a bad name') } }, 422],
    [{ url, headers: { 'X-A': `${secret('value with a line break')}\n` } }, 422],
    [{ url, headers: { Host: secret('value of a forbidden name') } }, 422],
    [`{"url":"${url}","headers":{"X-A":"${secret('value in broken JSON')}"`, 400],
  ]
  for (const [body, refused] of wrong) await journey.use('createWebhook', { as, body, refused })
}

function shown(canaries: Canaries, { where, body }: Answer, name: string, field: string): string {
  return canaries.shownIn(where, name, body[field])
}

export function outcome(): object {
  return { type: 'email.delivered', data: { email_id: 'em_1', to: ['reader@example.org'] } }
}

const postfixRecord = {
  line_id: 'line-1',
  recipient: 'ann@example.org',
  disposition: 'accepted',
  status: '2.0.0',
  reply: '250 2.0.0 Ok',
  relay: 'mx1.example.org[192.0.2.7]:25',
  occurred_at: '2026-11-21T04:00:01.000Z',
  return_path: 'bounces+none@example.com',
}

/** Random text that occurs nowhere else. */
export function hex(): string {
  return randomBytes(12).toString('hex')
}
