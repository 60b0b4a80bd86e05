import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { Canaries } from './canaries.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { fault } from './fault.ts'
import {
  beRefused,
  changeKeys,
  hex,
  connectProvider,
  keepWebhook,
  mail,
  makeApiKeys,
  openAccount,
  operate,
  outcome,
  sendAndSearch,
  signIn,
  type Walk,
} from './canary-walk.ts'
import { startJourney } from './journey.ts'

fault('F59', 'every secret appears only in the response that shows it once', async seen => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver(one => (one.path.startsWith('/fails') ? 500 : 204))
  await using sink = await startSmtpSink({
    server: { allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(new Error('not today')) },
  })
  await using dns = await startDnsServer()
  await using proxy = await startDatabaseProxy(place.databaseUrl ?? '')
  const canaries = new Canaries()
  const secret = (name: string): string => canaries.add(name, `${name.replaceAll(' ', '')}${hex()}`)

  const databaseUrl = new URL(proxy.url(place.databaseUrl ?? ''))
  databaseUrl.password = secret('database password')
  const smtpUrl = new URL(sink.url)
  smtpUrl.username = 'posthorn'
  smtpUrl.password = secret('SMTP password')
  const installation = newInstallation({ ...place, databaseUrl: databaseUrl.href })
  canaries.add('operator token', installation.adminToken)
  const masterKey = installation.masterKeys.split(':')[1] ?? ''
  canaries.add('master key', masterKey)
  canaries.addBytes('master key’s bytes', Buffer.from(masterKey, 'base64'))
  await using service = await startService(installation, {
    POSTHORN_LOG_LEVEL: 'debug',
    POSTHORN_SMTP_URL: smtpUrl.href,
    POSTHORN_NOTICES_FROM: 'posthorn@example.com',
    POSTHORN_DNS_SERVERS: dns.address,
  })
  const journey = startJourney(() => service.url, canaries)
  const walk: Walk = {
    journey,
    canaries,
    secret,
    operator: installation.adminToken,
    receiverUrl: receiver.url('/hook'),
    origin: service.url,
  }

  const accountId = await openAccount(walk)
  const apiKey = await makeApiKeys(walk, accountId)
  await connectProvider(walk, accountId)
  const webhookId = await keepWebhook(walk, apiKey, accountId)
  await changeKeys(walk, apiKey, webhookId)
  await sendAndSearch(walk, apiKey, webhookId)
  await mail(walk, apiKey)
  await signIn(walk, apiKey, accountId)
  await operate(walk)
  await beRefused(walk, apiKey)

  proxy.goAway()
  await journey.use('listEvents', { as: apiKey, refused: 503 })
  await journey.use('reportOutcomes', { as: apiKey, body: outcome(), refused: 503 })
  proxy.back()
  await until('it is back', async () => (await fetch(`${service.url}/readyz`)).status === 200)

  const env = {
    POSTHORN_URL: service.url,
    POSTHORN_API_KEY: apiKey,
    POSTHORN_ADMIN_TOKEN: installation.adminToken,
    POSTHORN_MASTER_KEYS: installation.masterKeys,
    DATABASE_URL: databaseUrl.href,
    POSTHORN_DATA_DIR: place.dataDir,
  }
  await useCommands(canaries, env, accountId, receiver.url('/fails'), place.dataDir)
  await using db = await openDatabase({
    ...place,
    url: place.databaseUrl,
    connectionsMax: 1,
    onLost: () => {},
  })
  const tables = await readEveryTable(db, canaries)

  await journey.use('deleteWebhook', { as: apiKey, ids: { id: webhookId } })
  await journey.use('deleteAccount', { as: installation.adminToken, ids: { id: accountId } })
  await readEveryTable(db, canaries)
  await journey.use('getMetrics')
  await service.stop()
  canaries.wrote('output of the service', service.output())

  expect(journey.unused()).toEqual([])
  expect(canaries.found()).toEqual([])
  const { secrets, texts, bytes } = canaries.size
  seen(
    `${secrets} secrets searched for in ${texts} texts of ${Math.round(bytes / 1024)} KiB, including ${tables} tables`,
  )
})

/** Commands print to the operator's terminal, where a secret may appear once, when it is created. */
async function useCommands(
  canaries: Canaries,
  env: Record<string, string>,
  accountId: string,
  url: string,
  folder: string,
): Promise<void> {
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await posthorn(args, { env })
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)])
    const where = `output of ${args.join(' ')}`
    canaries.wrote(where, stdout + stderr)
    return where
  }
  const shows = async (name: string, form: RegExp, ...args: string[]): Promise<void> => {
    const before = canaries.textOf(await run(...args))
    canaries.shownIn(`output of ${args.join(' ')}`, name, form.exec(before)?.[0])
  }
  await run('accounts', 'list')
  await run('keys', 'list', '--account', accountId)
  await run('endpoints', 'list', '--json')
  await run('migrate')
  await run('keys', 'rotate-master')
  const scopes = ['--scopes', 'read']
  await shows(
    'key by command',
    /phk_\w{36}/,
    'keys',
    'create',
    '--account',
    accountId,
    '--name',
    'x',
    ...scopes,
  )
  await shows('secret by command', /whsec_\w{44}/, 'endpoints', 'create', url)
  await shows('link by command', /phl_[\w-]{43}/, 'portal-links', 'create', '--account', accountId)
  const file = join(folder, 'setup.ndjson')
  await run('export', file)
  canaries.wrote('the export', readFileSync(file, 'utf8'))
  const away = { ...env, DATABASE_URL: env['DATABASE_URL']?.replace(/:\d+\//, ':9/') ?? '' }
  const failed = await posthorn(['migrate'], { env: away })
  expect(failed.code).toBe(1)
  canaries.wrote('output of migrate without a database', failed.stdout + failed.stderr)
}

/** Reads whole rows as text, with bytes in hex. */
async function readEveryTable(db: Database, canaries: Canaries): Promise<number> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(`select t::text as row from ${name} t`)
    canaries.wrote(`table ${name}`, rows.map(({ row }) => row).join('\n'))
  }
  expect(tables.length).toBeGreaterThan(20)
  return tables.length
}
