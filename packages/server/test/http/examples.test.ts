import {
  type Example,
  examplePath,
  examples,
  exampleIds,
  type IdPrefix,
  type OperationId,
  type Route,
  routes,
} from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

let place: DatabasePlace
let dns: DnsServer
let service: ServiceProcess
let operatorToken: string

/** The real ids and secrets for the placeholders of the examples. */
const real = new Map<string, string>()
let apiKey = ''
let sessionToken = ''

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  dns = await startDnsServer()
  const installation = newInstallation(place)
  operatorToken = installation.adminToken
  service = await startService(installation, {
    POSTHORN_DNS_SERVERS: dns.address,
    // nothing listens on this port, so emails stay queued
    POSTHORN_SMTP_URL: 'smtp://127.0.0.1:9',
    POSTHORN_RETURN_PATH_DOMAIN: 'bounces.acme.example',
    POSTHORN_NOTICES_FROM: 'notices@acme.example',
    POSTHORN_OPERATOR_HEADER: 'X-Forwarded-User',
    POSTHORN_OPERATOR_PROXIES: '127.0.0.1',
    POSTHORN_OPERATORS_CHANGE: 'ann@example.com',
    // an automatic retry is due long after the test
    POSTHORN_RETRY_BASE_SECONDS: '86400',
  })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

/** The operations, in an order in which each one finds what it needs. */
const story: readonly OperationId[] = [
  ...(['getHealth', 'getReadiness', 'getMetrics', 'getOpenApi'] as const),
  ...(['createAccount', 'getAccount', 'listAccounts', 'updateAccount'] as const),
  ...(['createProviderSource', 'listProviderSources', 'deleteProviderSource'] as const),
  ...(['getProxyOperator', 'createProxySession'] as const),
  ...(['createOperator', 'listOperators', 'removeOperator'] as const),
  ...(['createApiKey', 'listApiKeys', 'createOwnApiKey', 'listOwnApiKeys', 'revokeOwnApiKey'] as const),
  ...(['createWebhook', 'listWebhooks', 'getWebhook'] as const),
  ...(['reportOutcomes', 'listEvents', 'getEvent', 'listEventTypes'] as const),
  ...(['listDeliveries', 'searchDeliveries', 'getDelivery', 'retryDelivery'] as const),
  ...(['getWebhookHealth', 'listWebhookHealth', 'updateWebhook'] as const),
  ...(['stageSigningKey', 'listSigningKeys', 'promoteSigningKey', 'retireSigningKey'] as const),
  ...(['sendTestEvent', 'checkWebhook', 'checkUrl'] as const),
  ...(['createReplay', 'listReplays', 'listAllReplays', 'getReplay', 'cancelReplay'] as const),
  ...(['createEmail', 'listEmails', 'getEmail', 'findAddresses', 'getSendingLimits'] as const),
  ...(['reportPostfix', 'reportKumomta', 'reportMessage'] as const),
  ...(['createSuppression', 'listSuppressions', 'countSuppressions', 'liftSuppression'] as const),
  ...(['importSuppressions', 'exportSuppressions'] as const),
  ...(['createErasure', 'getErasure'] as const),
  ...(['createSendingDomain', 'listSendingDomains', 'getSendingDomain'] as const),
  ...(['updateSendingDomain', 'checkSendingDomain', 'deleteSendingDomain'] as const),
  ...(['updateBranding', 'getBranding'] as const),
  ...(['putNoticeWebhook', 'getNoticeWebhook', 'deleteNoticeWebhook'] as const),
  ...(['putNoticeEmail', 'getNoticeEmail', 'deleteNoticeEmail'] as const),
  ...(['createPortalSession', 'listPortalSessions', 'exchangePortalSession'] as const),
  ...(['getSession', 'deleteSession', 'revokePortalSession', 'createSession'] as const),
  ...(['getStats', 'listAuditLog'] as const),
  ...(['getSystem', 'getSystemHealth', 'confirmClock', 'getBackup'] as const),
  ...(['permitLoopback', 'deleteWebhook', 'revokeApiKey', 'deleteAccount'] as const),
]

type Json = Record<string, unknown>

/** What later examples need from an answer. */
const learnFrom: { readonly [Id in OperationId]?: (answer: Json) => Promise<void> | void } = {
  createAccount: async ({ id }) => {
    know('acct', id)
    const path = `/v1/accounts/${String(id)}/api-keys`
    const scopes = ['read', 'send', 'ingest', 'keys']
    const { body } = await service.operator.post<{ api_key: string }>(path, { name: 'test', scopes })
    apiKey = body.api_key
    real.set(examples.createSession.body.credential, apiKey)
  },
  createProviderSource: ({ id }) => know('src', id),
  createApiKey: ({ id }) => know('key', id),
  createOperator: ({ id }) => know('opr', id),
  createWebhook: ({ id }) => know('wh', id),
  reportOutcomes: async ({ events }) => {
    const [event] = events as string[]
    know('evt', event)
    const [delivery] = (await get(`/v1/deliveries?event_id=${event}`)).data as Json[]
    know('dlv', delivery?.['id'])
    // its host does not resolve here
    await until('the first attempt has failed', async () => {
      const { state } = await get(`/v1/deliveries/${String(delivery?.['id'])}`)
      return state === 'failed' ? true : undefined
    })
  },
  stageSigningKey: ({ key_id }) => know('whk', key_id),
  promoteSigningKey: async () => {
    const { key_id } = await post(`/v1/webhooks/${real.get(exampleIds.wh)}/signing-keys/stage`)
    know('whk', key_id)
  },
  createReplay: ({ id }) => know('rpl', id),
  createEmail: ({ email_id }) => know('em', email_id),
  createSuppression: ({ id }) => know('sup', id),
  createErasure: ({ id }) => know('era', id),
  createSendingDomain: ({ id }) => know('dom', id),
  createPortalSession: ({ id, url }) => {
    know('pses', id)
    real.set(examples.exchangePortalSession.body.token, String(url).split('#')[1] ?? '')
  },
  exchangePortalSession: ({ access_token }) => {
    sessionToken = String(access_token)
  },
}

test('the sequence of examples contains every operation once', () => {
  expect([...story].toSorted()).toEqual(Object.keys(routes).toSorted())
})

test.each(story)('the example of %s gets the response that the reference documents', async name => {
  const route: Route = routes[name]
  const example: Example = examples[name]
  const { body } = await check(route, example.body, route.success, example.answer)
  await learnFrom[name]?.(body)
  if (example.dryRun !== undefined && route.dryRun !== undefined)
    await check(route, example.dryRun.body, route.dryRun, example.dryRun.answer)
})

async function check(
  route: Route,
  sent: unknown,
  { status, schema }: Route['success'],
  shown: unknown,
): Promise<{ body: Json }> {
  const path = inThisService(examplePath(route, examples[route.operationId as OperationId], ''))
  const response = await fetch(service.url + path, {
    method: route.method,
    headers: {
      origin: service.url,
      'x-forwarded-user': 'ann@example.com',
      ...credentialFor(route),
      ...(route.body !== undefined && { 'content-type': route.body.mediaTypes[0] ?? '' }),
    },
    ...(sent !== undefined && {
      body: inThisService(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    }),
  })
  const text = await response.text()
  expect([response.status, response.status === status ? '' : text]).toEqual([status, ''])
  if (schema === undefined) return { body: {} }
  const body = JSON.parse(text) as Json
  expect(schema.safeParse(body).error).toBeUndefined()
  if (route.operationId !== 'getOpenApi') expect(fieldsOf(body, shown)).toEqual(fieldsOf(shown, body))
  return { body }
}

/** All field names of `one`, as deep as `other` has a value in the same place. */
function fieldsOf(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === 0 || other.length === 0 ? 'list' : [fieldsOf(one[0], other[0])]
  if (!isObject(one) || !isObject(other)) return 'value'
  return Object.fromEntries(
    Object.entries(one)
      .filter(([name, value]) => !isFree(name, value))
      .map(([name, value]) => [name, fieldsOf(value, other[name])]),
  )
}

/** Fields whose names the account, the receiver or the mail server chooses, or that not every answer has. */
function isFree(name: string, value: unknown): boolean {
  return name === 'data' ? isObject(value) : freeFields.includes(name)
}

const freeFields = [
  'headers',
  'request_headers',
  'response_headers',
  'tags',
  'metadata',
  'before',
  'after',
  'by_error',
  'bounced_by_category',
  'failed_by_reason',
  'unsubscribed_by_source',
  'schema',
  'sample',
  'reply',
  'tls',
  'warnings',
]

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function credentialFor({ auth }: Route): { authorization?: string } {
  if (auth === 'public') return {}
  const token = auth === 'operator' ? operatorToken : auth === 'session' ? sessionToken : apiKey
  return { authorization: `Bearer ${token}` }
}

function know(prefix: IdPrefix, id: unknown): void {
  real.set(exampleIds[prefix], String(id))
}

function inThisService(text: string): string {
  return [...real].reduce((filled, [shown, there]) => filled.replaceAll(shown, there), text)
}

async function get(path: string): Promise<Json> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${apiKey}` } })
  return (await response.json()) as Json
}

async function post(path: string): Promise<Json> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(service.url + path, { method: 'POST', headers })
  return (await response.json()) as Json
}
