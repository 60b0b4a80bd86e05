import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailableError } from '../../src/db/database.ts'
import { readDashboardFiles } from '../../src/http/dashboard-files.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { isThroughFront } from '../support/through-front.ts'
import { verbContext } from '../verbs/verb-context.ts'
import { exchange, loopback, newPortalLink, signedIn } from './sign-in.ts'
import { newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'
import { call } from './test-app.ts'

// a front that has never seen its shard does not know its accounts
const isBehindFront = isThroughFront()

const script = `console.log(${JSON.stringify('x'.repeat(5_000))})`
const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const index = '<!doctype html><script src="/assets/index-Ab12.js" type="module"></script>'
const reference = '<!doctype html><script src="/assets/reference-Gh78.js" type="module"></script>'

const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const folder = mkdtempSync(join(tmpdir(), 'posthorn-dashboard-'))
let db: Database
let app: TestApp
let open: TestApp
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), index)
  writeFileSync(join(folder, 'docs.html'), reference)
  writeFileSync(join(folder, 'favicon.svg'), icon)
  writeFileSync(join(folder, 'assets/index-Ab12.js'), script)
  writeFileSync(join(folder, 'assets/sans-Cd34.woff2'), Buffer.alloc(3_000))
  const dashboard = readDashboardFiles(folder)
  db = await openTestDatabase(embedded)
  app = await openTestApp(db, { dashboard })
  const plain = verbContext(db)
  const ctx = { ...plain, outside: { ...plain.outside, publicUrl: () => 'https://mail.example.com' } }
  open = await openTestApp(db, { dashboard, ctx })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

interface Got {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

async function get(from: TestApp, url: string, headers: object = {}): Promise<Got> {
  const response = await from.app.inject({ method: 'GET', url, headers: { ...loopback, ...headers } })
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    bytes: response.rawPayload,
  }
}

/** Requests a page like a browser's address bar. */
async function visit(from: TestApp, url: string, headers: object = {}): Promise<Got> {
  return await get(from, url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers })
}

describe('a file', () => {
  const url = '/assets/index-Ab12.js'

  test('with a hash in its name is cached for a year; any other is revalidated', async () => {
    const hashed = await get(app, url)
    expect([hashed.status, hashed.bytes.toString()]).toEqual([200, script])
    expect(hashed.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const plain = await get(app, '/favicon.svg')
    expect(plain.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' })
  })

  test('is sent in an encoding that the client accepts, with a separate ETag for each encoding', async () => {
    const [br, gzip, bare] = [
      await get(app, url, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
      await get(app, url, { 'accept-encoding': 'gzip;q=1.0, br;q=0' }),
      await get(app, url, { 'accept-encoding': 'identity' }),
    ]
    expect(brotliDecompressSync(br.bytes).toString()).toBe(script)
    expect(gunzipSync(gzip.bytes).toString()).toBe(script)
    expect(bare.bytes.toString()).toBe(script)
    expect([br, gzip, bare].map(({ headers }) => headers['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ])
    expect(new Set([br, gzip, bare].map(({ headers }) => headers['etag'])).size).toBe(3)
    for (const { headers } of [br, gzip, bare]) expect(headers['vary']).toBe('accept-encoding')
  })

  test('is not sent again if the client already has it', async () => {
    const { headers } = await get(app, url)
    const again = await get(app, url, { 'if-none-match': `"other", ${headers['etag']}` })
    expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, headers['etag']])
    expect((await get(app, url, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('that does not compress is sent uncompressed', async () => {
    const font = await get(app, '/assets/sans-Cd34.woff2', { 'accept-encoding': 'br' })
    expect([font.headers['content-type'], font.headers['content-encoding']]).toEqual([
      'font/woff2',
      undefined,
    ])
  })

  test('that does not exist gives 404, even to a browser', async () => {
    for (const missing of ['/assets/old-Ef56.js', '/assets/', '/assets'])
      expect([missing, (await visit(app, missing)).status]).toEqual([missing, 404])
  })

  test('can be requested with HEAD, and otherwise only with GET', async () => {
    const origin = await app.app.listen({ host: '127.0.0.1', port: 0 })
    const head = await fetch(origin + url, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(script.length))
    expect((await call(app, 'POST', url)).status).toBe(404)
  })
})

describe('the page', () => {
  test('is served under every path of the dashboard and revalidated each time', async () => {
    for (const path of ['/', '/deliveries/dlv_1?x=1', '/sign-in', '/index.html', '/operator/system']) {
      const { status, headers, bytes } = await visit(app, path)
      expect([path, status, bytes.toString()]).toEqual([path, 200, index])
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': strictPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
      expect(headers['strict-transport-security']).toBeUndefined()
    }
  })

  test('lets a browser with a session ask for it while the code loads', async () => {
    const cookie = `posthorn=phs_${'x'.repeat(43)}`
    expect((await visit(app, '/', { cookie })).headers['link']).toBe(
      '</v1/session>; rel=preload; as=fetch; crossorigin',
    )
    expect((await visit(app, '/')).headers['link']).toBeUndefined()
  })

  test('is not served for an unknown operation, nor to a browser that opens an API path', async () => {
    for (const [path, accept] of [
      ['/v2/webhooks', '*/*'],
      ['/v1/nothing', 'text/html'],
      ['/v1', 'text/html'],
      ['/metrics/x', 'text/html'],
    ] as const) {
      const { status, headers } = await get(app, path, { accept })
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json'])
    }
    const api = await visit(app, '/v1/webhooks')
    expect([api.status, api.headers['content-type']]).toEqual([401, 'application/problem+json'])
  })

  test('over HTTPS tells browsers to use only HTTPS', async () => {
    const { headers } = await visit(open, '/', { host: 'mail.example.com' })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('over plain HTTP from another host says that HTTPS is needed, and at which address', async () => {
    const [none, named] = [
      await visit(app, '/endpoints', { host: '10.0.0.5:4100' }),
      await visit(open, '/', { host: '10.0.0.5:4100' }),
    ]
    expect([none.status, named.status]).toEqual([403, 403])
    expect(none.bytes.toString()).toContain('POSTHORN_PUBLIC_URL')
    expect(named.bytes.toString()).toContain('Open https://mail.example.com')
    expect(named.headers['content-security-policy']).toBe(strictPolicy)
    // a proxy may send any host name, and a browser sends this header only over HTTPS
    const proxied = await visit(open, '/', { host: 'posthorn:4100', 'sec-fetch-mode': 'navigate' })
    expect(proxied.status).toBe(200)
  })

  test('that is not built says how to build it', async () => {
    await using bare = await openTestApp(db, { dashboard: readDashboardFiles(join(folder, 'nothing')) })
    const { status, headers, bytes } = await visit(bare, '/')
    expect([status, headers['content-security-policy']]).toEqual([404, strictPolicy])
    expect(bytes.toString()).toContain('npm run build:dashboard')
  })

  test('is not served by a process that only dispatches', async () => {
    await using sender = await openTestApp(db, { operatorToken: null, dashboard: readDashboardFiles(folder) })
    expect((await visit(sender, '/')).headers['content-type']).toBe('application/problem+json')
  })
})

describe('the API reference', () => {
  test('is served at /docs to browsers and programs, even over plain HTTP from another host', async () => {
    const elsewhere = { host: '10.0.0.5:4100' }
    for (const page of [await visit(app, '/docs'), await get(app, '/docs?x=1', elsewhere)]) {
      expect([page.status, page.bytes.toString()]).toEqual([200, reference])
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
    }
  })

  test('has the content security policy of every page, and also allows empty style elements', async () => {
    const { headers } = await visit(app, '/docs')
    expect(headers['content-security-policy']).toBe(
      strictPolicy.replace(
        "style-src 'self'",
        "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
      ),
    )
  })

  test('is not a page of the dashboard, and is served only at /docs', async () => {
    expect((await visit(app, '/docs.html')).bytes.toString()).toBe(index)
    expect((await visit(app, '/docs/x')).bytes.toString()).toBe(index)
  })

  test('that is not built says how to build it', async () => {
    await using bare = await openTestApp(db, { dashboard: null })
    const { status, headers, bytes } = await visit(bare, '/docs')
    expect([status, headers['content-security-policy']]).toEqual([404, strictPolicy])
    expect(bytes.toString()).toContain('npm run build:dashboard')
  })

  test('reads a compressed document, which is not sent again to clients that already have it', async () => {
    const first = await get(app, '/openapi.json', { 'accept-encoding': 'br' })
    expect(first.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'content-encoding': 'br',
    })
    expect(JSON.parse(brotliDecompressSync(first.bytes).toString())).toMatchObject({ openapi: '3.1.1' })
    const known = { 'accept-encoding': 'br', 'if-none-match': first.headers['etag'] ?? '' }
    const again = await get(app, '/openapi.json', known)
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })
})

describe('the page of a portal link', () => {
  const policyOf = ({ headers }: Got): string => headers['content-security-policy'] ?? ''
  const newLink = async (input: object): Promise<{ id: string; token: string }> =>
    await newPortalLink(app, { account_id: (await newCustomer(app)).accountId, ...input })

  test('may be framed by the link’s allowed origins and may load its logo', async () => {
    const { id } = await newLink({
      allowed_origins: ['https://app.example', 'https://b.example:8443'],
      logo_url: 'https://cdn.example/logo.svg?v=1',
    })
    const page = await visit(app, `/portal/${id}?theme=dark`)
    expect(page.bytes.toString()).toBe(index)
    expect(policyOf(page)).toBe(
      strictPolicy
        .replace("frame-ancestors 'none'", 'frame-ancestors https://app.example https://b.example:8443')
        .replace("img-src 'self'", "img-src 'self' https://cdn.example"),
    )
    expect(page.headers['cross-origin-opener-policy']).toBeUndefined()
  })

  test('may not be framed if the link allows no origin or does not exist, and neither may other pages', async () => {
    const { id } = await newLink({})
    const framed = await newLink({ allowed_origins: ['https://app.example'] })
    const paths = [
      `/portal/${id}`,
      '/portal/pses_01h455vb4pex5vsknk084sn02q',
      '/portal/x',
      `/portal/${framed.id}/x`,
      '/',
    ]
    for (const path of paths) {
      const page = await visit(app, path)
      expect([path, page.status, policyOf(page)]).toEqual([path, 200, strictPolicy])
    }
  })

  test('may still be framed after the link has ended, so that the page can say so', async () => {
    const { id } = await newLink({ allowed_origins: ['https://app.example'] })
    await call(app, 'DELETE', `/v1/portal-sessions/${id}`, { as: operatorToken })
    expect(policyOf(await visit(app, `/portal/${id}`))).toContain('frame-ancestors https://app.example')
  })

  test('allows its logo on every page of the session that it opened', async () => {
    const link = await newLink({ logo_url: 'https://cdn.example/logo.svg' })
    const { cookie } = signedIn(app, await exchange(app, link, false))
    expect(policyOf(await visit(app, '/', { cookie }))).toBe(
      strictPolicy.replace("img-src 'self'", "img-src 'self' https://cdn.example"),
    )
  })

  test.skipIf(isBehindFront)(
    'is served without the database, so that it can report the problem',
    async () => {
      const away = {
        ...verbContext(db),
        db: { ...db, query: () => Promise.reject(new DatabaseUnavailableError('gone')) } as Database,
      }
      await using cut = await openTestApp(db, { ctx: away, dashboard: readDashboardFiles(folder) })
      for (const headers of [{}, { cookie: `posthorn=phs_${'x'.repeat(43)}` }]) {
        const page = await visit(cut, '/portal/pses_01h455vb4pex5vsknk084sn02q', headers)
        expect([page.status, policyOf(page)]).toEqual([200, strictPolicy])
        expect((await visit(cut, '/', headers)).status).toBe(200)
      }
    },
  )
})
