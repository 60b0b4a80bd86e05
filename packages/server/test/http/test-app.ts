import { Readable } from 'node:stream'
import { randomBytes } from 'node:crypto'
import type { Scope } from '@posthorn/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { createAccount } from '../../src/accounts/create-account.ts'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import type { Database } from '../../src/db/database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { type AppOptions, createApp } from '../../src/http/app.ts'
import { parseNamedKeys } from '../../src/seal/named-keys.ts'
import { systemClock } from '../../src/system-clock.ts'
import { openReportNotes } from '../../src/sources/mail-sources.ts'
import { openQueueReader } from '../../src/system/queue-reader.ts'
import { readSystem } from '../../src/system/read-system.ts'
import { readWaitingMail } from '../../src/handover/read-waiting-mail.ts'
import { readSystemHealth } from '../../src/system/read-system-health.ts'
import { isThroughFront, openFrontBefore, shardKeys } from '../support/through-front.ts'
import { type VerbContext, verbContext } from '../verbs/verb-context.ts'

export const operatorToken = `pha_${'t'.repeat(40)}`

const maintenance = {
  state: 'running',
  reason: null,
  database_clock: '2026-11-21T04:00:00.000Z',
  last_trusted_at: '2026-11-21T04:00:00.000Z',
} as const

/** An app on a real database that records waits and log lines. */
export interface TestApp extends AsyncDisposable {
  app: FastifyInstance
  ctx: VerbContext
  /** The milliseconds of each wait before an answer. No wait takes real time. */
  waits: number[]
  logged: object[]
}

export async function openTestApp(db: Database, overrides: Partial<AppOptions> = {}): Promise<TestApp> {
  const ctx = verbContext(db)
  const waits: number[] = []
  const logged: object[] = []
  const options: AppOptions = {
    ctx,
    operatorToken,
    rateLimitPerSecond: 0,
    intake: refusingIntake,
    complaints: true,
    mailIgnored: () => {},
    noteReport: openReportNotes(db, ctx.clock),
    dashboard: null,
    log: { error: fields => logged.push(fields), warn: fields => logged.push(fields) },
    wait: async ms => {
      waits.push(ms)
    },
    version: '0.0.0-test',
    readiness: async () => ({ ready: true }),
    metricsText: async () => '# none\n',
    system: async () =>
      await readSystem(db, {
        version: '0.0.0-test',
        nodeVersion: process.versions.node,
        startedAtMs: 0,
        retentionDays: 30,
        settings: [],
        maintenance,
      }),
    systemHealth: async () =>
      await readSystemHealth({
        db,
        clock: ctx.clock,
        queue: openQueueReader(db, ctx.clock, {
          ...ctx.settings,
          inFlightMax: 1_000,
          inFlightPerEndpointMax: 20,
        }),
        waitingMail: async () => await readWaitingMail(db, ctx.clock.nowMs()),
        mailCertificateExpiresAtMs: () => null,
        processNumber: () => 1,
        activity: () => idle,
        clockSkew: { skewMs: 0 },
        maintenance: async () => await Promise.resolve(maintenance),
      }),
    dump: async () => await Promise.resolve(Readable.from([])),
    ...overrides,
  }
  await using opened = new AsyncDisposableStack()
  // a process that only delivers is behind no front
  const isBehindFront = isThroughFront() && options.operatorToken !== null
  const { app } = opened.use(isBehindFront ? await openFrontOf(options) : appOf(options))
  await app.ready()
  const running = opened.move()
  return { app, ctx, waits, logged, [Symbol.asyncDispose]: async () => await running.disposeAsync() }
}

function appOf(options: AppOptions): { app: FastifyInstance } & AsyncDisposable {
  const app = createApp(options)
  return { app, [Symbol.asyncDispose]: async () => await app.close() }
}

/** The app of a front whose only shard is this app. */
async function openFrontOf(options: AppOptions): Promise<{ app: FastifyInstance } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const keys = parseNamedKeys(shardKeys, 'shard key')
  const door = { keys, clock: systemClock, shardNumber: () => 0 }
  const { app: shard } = opened.use(
    appOf({ ...options, shard: { door, lookAgain: async () => {}, mail: null } }),
  )
  const url = await shard.listen({ host: '127.0.0.1', port: 0 })
  const who = { adminToken: options.operatorToken ?? '', publicUrl: options.ctx.outside.publicUrl() }
  const { app } = opened.use(
    await openFrontBefore([url], who, {
      dashboard: options.dashboard,
      settings: proxySettings(options.operatorProxies ?? null),
    }),
  )
  const running = opened.move()
  return { app, [Symbol.asyncDispose]: async () => await running.disposeAsync() }
}

function proxySettings(proxies: AppOptions['operatorProxies']): Record<string, string> {
  if (proxies == null) return {}
  return {
    POSTHORN_OPERATOR_HEADER: proxies.header,
    POSTHORN_OPERATOR_PROXIES: proxies.networks.join(','),
    POSTHORN_OPERATORS_VIEW: proxies.view.join(','),
    POSTHORN_OPERATORS_CHANGE: proxies.change.join(','),
  }
}

const idle = {
  inFlight: 0,
  held: 0,
  unsettled: 0,
  perSecond: { accepted: 0, delivered: 0, failed: 0 },
}

const refuse = async (): Promise<never> => await Promise.reject(new Error('this test stores no outcomes'))
const refusingIntake: AppOptions['intake'] = {
  group: refuse,
  within: refuse,
  runInLane: async (_outcomes, _bytes, transaction) => await transaction(),
}

/** A new account with a key that has these scopes. */
export async function newCustomer(
  { ctx }: TestApp,
  scopes: Scope[] = ['read', 'send', 'ingest', 'keys'],
): Promise<{ accountId: string; accountUuid: string; apiKey: string; keyId: string }> {
  const account = await createAccount(ctx, { name: 'Test', max_endpoints: 10 })
  const accountUuid = parseTypeId('acct', account.id) ?? ''
  const key = await createApiKey(ctx, accountUuid, { name: 'Test', scopes })
  return { accountId: account.id, accountUuid, apiKey: key.api_key ?? '', keyId: key.id }
}

/** An answer with its JSON, if it has any. */
export interface Answer {
  status: number
  headers: Record<string, string | number | string[] | undefined>
  body: Record<string, unknown> & {
    /** The id of a resource. If it is missing, a test that uses it fails. */
    id: string
    key_id: string
    code?: string
    errors?: { path: string; message: string }[]
  }
}

export async function call(
  { app }: Pick<TestApp, 'app'>,
  method: string,
  url: string,
  { as, json, ...rest }: { as?: string; json?: unknown } & InjectOptions = {},
): Promise<Answer> {
  const response = await app.inject({
    method: method as 'GET',
    url,
    ...rest,
    ...(json !== undefined && { payload: JSON.stringify(json) }),
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...rest.headers,
    },
  })
  const isJson = /json/.test(String(response.headers['content-type']))
  return {
    status: response.statusCode,
    headers: withoutLists(response.headers),
    body: JSON.parse(isJson && response.body !== '' ? response.body : '{}') as Answer['body'],
  }
}

/** A list with one line is the same as the line. */
function withoutLists(headers: Answer['headers']): Answer['headers'] {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value]),
  )
}

export function randomKey(): string {
  return randomBytes(12).toString('hex')
}
