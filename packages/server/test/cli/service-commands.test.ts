import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Account,
  ApiKey,
  ApiKeyCreated,
  PortalSessionCreated,
  Webhook,
  WebhookCreated,
} from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { type Ended, posthorn, type Running, spawnPosthorn } from './posthorn-process.ts'

let dataDir: string
let service: Running
let env: Record<string, string>

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'posthorn-cli-'))
  await copyEmbeddedDatabase(dataDir, 'schema')
  service = spawnPosthorn(['start'], { env: { POSTHORN_DATA_DIR: dataDir, POSTHORN_PORT: '0' } })
  env = { POSTHORN_DATA_DIR: dataDir, POSTHORN_URL: await service.url() }
})

afterAll(async () => {
  await service.end('SIGTERM')
  rmSync(dataDir, { recursive: true })
})

test('an operator creates an account and a key, and the customer creates an endpoint', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Acme', '--max-endpoints', '3')
  expect(account).toMatchObject({ name: 'Acme', max_endpoints: 3 })
  expect(await json<Account[]>('accounts', 'list')).toContainEqual(account)

  const key = await newKey(account, 'read,send')
  expect(key).toMatchObject({ name: 'first', scopes: ['read', 'send'] })
  const asCustomer = ['--api-key', String(key.api_key)]

  const endpoint = await json<WebhookCreated>(
    'endpoints',
    'create',
    'https://hooks.example.com/mail',
    '--events',
    'email.bounced,email.failed',
    ...asCustomer,
  )
  expect(endpoint).toMatchObject({ status: 'enabled', events: ['email.bounced', 'email.failed'] })
  expect(endpoint.secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)

  const { secret: _, ...record } = endpoint
  expect(await json<Webhook[]>('endpoints', 'list', ...asCustomer)).toEqual([record])
})

test('text output shows a secret once with a note, and lists as tables', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Tables')
  const created = await run('keys', 'create', '--account', account.id, '--name', 'k', '--scopes', 'read,send')
  const apiKey = /phk_[0-9A-Za-z]{36}/.exec(created.stdout)?.[0] ?? ''
  expect(created.stdout).toContain('This is the only time it is shown.')

  const endpoint = await run('endpoints', 'create', 'https://hooks.example.com/a', '--api-key', apiKey)
  expect(endpoint.stdout).toMatch(/whsec_[0-9A-Za-z]{44}\n/)
  expect(endpoint.stdout).toContain('This is the only time the signing secret is shown.')

  const keys = (await run('keys', 'list', '--account', account.id)).stdout.split('\n')
  expect(keys[0]).toMatch(/^ID +NAME +SCOPES +KEY +STATE +LAST USED$/)
  expect(keys[1]).toContain(`${apiKey.slice(0, 10)}…`)
  expect(keys.join('\n')).not.toContain(apiKey)
  const endpoints = (await run('endpoints', 'list', '--api-key', apiKey)).stdout
  expect(endpoints).toMatch(/^ID +STATUS +EVENTS +SECRET +URL\nwh_\w+ +enabled +delivered,bounced,failed/)
})

test('an operator sets limits, suspends an account, and lifts the suspension', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Limited', '--messages-per-hour', '5')
  expect(account).toMatchObject({ messages_per_hour: 5, messages_per_day: null })
  const perDay = ['--messages-per-day', '20']
  expect(
    await json('accounts', 'update', account.id, '--messages-per-hour', 'none', ...perDay),
  ).toMatchObject({
    messages_per_hour: null,
    messages_per_day: 20,
  })
  expect((await run('accounts', 'update', account.id)).stderr).toContain('nothing to change')

  const suspended = await run('accounts', 'suspend', account.id)
  expect(suspended).toMatchObject({ code: 0, stdout: expect.stringContaining('accepts no more emails') })
  const shown = (await run('accounts', 'get', account.id)).stdout
  expect(shown).toMatch(/^Sending +suspended since \d{4}-\S+ \(by the operator\)$/m)
  expect(shown).toMatch(/^Messages this hour +0 \(no limit\)$/m)
  expect(shown).toMatch(/^Messages today +0 of 20$/m)
  const listed = (await run('accounts', 'list')).stdout
  expect(listed).toMatch(new RegExp(`^${account.id}.* 0 of 20 today +suspended \\(operator\\) `, 'm'))

  expect(await run('accounts', 'lift-suspension', account.id)).toMatchObject({
    code: 0,
    stdout: `${account.id} (Limited) may send emails.\n`,
  })
  expect((await run('accounts', 'get', account.id)).stdout).toMatch(/^Sending +allowed$/m)
})

test('a list shows the entries of all its pages', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Many', '--max-endpoints', '300')
  const { api_key: apiKey } = await newKey(account, 'read,send')
  await Promise.all(
    Array.from({ length: 251 }, async (_, index) => {
      const response = await fetch(`${env['POSTHORN_URL']}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `https://hooks.example.com/${index}` }),
      })
      expect(response.status).toBe(201)
    }),
  )

  expect(await json<Webhook[]>('endpoints', 'list', '--api-key', String(apiKey))).toHaveLength(251)
})

test('a revoked key is rejected, and the list shows that it is revoked', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Revoked')
  const key = await newKey(account, 'read')
  const list = ['endpoints', 'list', '--api-key', String(key.api_key)]
  expect(await run(...list)).toMatchObject({ code: 0, stdout: expect.stringContaining('No endpoints yet') })

  expect(await run('keys', 'revoke', key.id, '--account', account.id)).toMatchObject({
    code: 0,
    stdout: `Revoked ${key.id}.\n`,
  })

  const refused = await run(...list)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^posthorn: the service at http.+ does not accept the API key: it is revoked/,
  )
  const [listed] = await json<ApiKey[]>('keys', 'list', '--account', account.id)
  expect(listed?.revoked_at).not.toBeNull()
})

test('without --account, a customer creates, lists and revokes keys of their account', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Own keys')
  const first = await newKey(account, 'read,send,keys')
  const own = ['--api-key', String(first.api_key)]
  const create = ['keys', 'create', '--name', 'ada', '--scopes']
  const made = await json<ApiKeyCreated>(...create, 'read', ...own)
  expect(made).toMatchObject({ scopes: ['read'], created_by: { api_key_id: first.id } })
  const refused = await run(...create, 'ingest', ...own)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('You do not have ingest.') })

  expect(await run('keys', 'revoke', made.id, ...own)).toMatchObject({ code: 0 })
  const listed = await json<ApiKey[]>('keys', 'list', ...own)
  expect(listed).toMatchObject([{ id: made.id, revoked_at: expect.any(String) }, { id: first.id }])
})

test('an operator creates a portal link, which can be exchanged once', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Portal')
  const made = await run('portal-links', 'create', '--account', account.id, '--scopes', 'read')
  const [, base = '', id = '', token = ''] =
    /(http\S+)\/portal\/(pses_\w+)#(phl_[\w-]{43})/.exec(made.stdout) ?? []
  expect(base).toBe(env['POSTHORN_URL'])

  const exchange = async () =>
    await fetch(`${base}/v1/portal-sessions/${id}/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, embedded: true }),
    })
  expect(await (await exchange()).json()).toMatchObject({ account: { id: account.id }, scopes: ['read'] })
  expect((await exchange()).status).toBe(410)

  const forever = ['--scopes', 'read,send,keys', '--keys-expire-by', 'never']
  expect(
    await json<PortalSessionCreated>('portal-links', 'create', '--account', account.id, ...forever),
  ).toMatchObject({ scopes: ['read', 'send', 'keys'], keys_expire_by: null })

  const origins = ['--allowed-origin', 'https://a.example', '--allowed-origin', 'https://b.example']
  const framed = ['portal-links', 'create', '--account', account.id, '--expires-in', '60', ...origins]
  expect(await json<PortalSessionCreated>(...framed)).toMatchObject({
    allowed_origins: ['https://a.example', 'https://b.example'],
  })
})

test('an error from the service is one line with its reason, or JSON with --json', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Refused')
  const key = await newKey(account, 'send')
  const create = ['endpoints', 'create', 'http://localhost/x', '--api-key', String(key.api_key)]

  const text = await run(...create)
  expect(text.code).toBe(1)
  expect(text.stderr).toBe(
    'posthorn: The URL must begin with https://. The operator can allow http with POSTHORN_EGRESS_HTTP=true. (url_not_allowed)\n',
  )
  const asJson = await run(...create, '--json')
  expect(asJson).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'url_not_allowed' } })

  const unscoped = await run('endpoints', 'list', '--api-key', String(key.api_key))
  expect(unscoped.stderr).toContain('(insufficient_scope)')
  const unknown = await run('keys', 'list', '--account', 'acct_00000000000000000000000000')
  expect(unknown.stderr).toContain('(not_found)')
})

test('an error about a field names the option, once', async () => {
  const account = await json<Account>('accounts', 'create', '--name', 'Provider')
  const add = ['sources', 'add', 'ses', '--account', account.id, '--key', 'arn:aws:s3:::mail']
  expect((await run(...add)).stderr).toBe(
    'posthorn: --key must be the ARN of the SNS topic, such as arn:aws:sns:eu-west-1:123456789012:mail (validation_failed)\n',
  )
  const asJson = JSON.parse((await run(...add, '--json')).stderr) as { error: { message: string } }
  expect(asJson.error.message).toMatch(/^--key must be/)
})

test('if a credential or the service is missing, the error says how to get one', async () => {
  const noKey = await posthorn(['endpoints', 'list'], { env })
  expect(noKey).toMatchObject({ code: 1, stderr: expect.stringContaining('set POSTHORN_API_KEY') })

  const broken = await posthorn(['endpoints', 'list'], {
    env: { ...env, POSTHORN_API_KEY: 'phk_secret\nphk_other' },
  })
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('has a space or a line break') })
  expect(broken.stderr).not.toContain('phk_')

  const noToken = await posthorn(['accounts', 'list'], { env: { ...env, POSTHORN_DATA_DIR: '/nowhere' } })
  expect(noToken).toMatchObject({ code: 1, stderr: expect.stringContaining('set POSTHORN_ADMIN_TOKEN') })

  const wrongToken = await posthorn(['accounts', 'list'], {
    env: { ...env, POSTHORN_ADMIN_TOKEN: 'wrong'.repeat(8) },
  })
  expect(wrongToken).toMatchObject({ code: 1, stderr: expect.stringContaining('POSTHORN_ADMIN_TOKEN') })

  const noService = await posthorn(['accounts', 'list', '--url', 'http://127.0.0.1:9'], { env })
  expect(noService.code).toBe(1)
  expect(noService.stderr).toContain('no service answers at http://127.0.0.1:9')
  expect(noService.stderr).toContain('posthorn start')
})

async function newKey(account: Account, scopes: string): Promise<ApiKeyCreated> {
  return await json('keys', 'create', '--account', account.id, '--name', 'first', '--scopes', scopes)
}

async function run(...args: string[]): Promise<Ended> {
  return await posthorn(args, { env })
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}
