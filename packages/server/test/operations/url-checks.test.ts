import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointCheck, UrlCheck } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../egress/certificate.ts'
import { type Answer, allEvents, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace, verbBackends } from '../support/test-database.ts'
import { startTlsReceiver } from '../support/tls-receiver.ts'
import { until } from '../support/until.ts'

const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })
const forLocalhost = { hosts: ['localhost'], issuer: authority }

describe.each(verbBackends())('checking a URL on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    const authorityFile = join(place.dataDir, 'authority.pem')
    writeFileSync(authorityFile, authority.cert)
    service = await startService(newInstallation(place), {
      NODE_EXTRA_CA_CERTS: authorityFile,
      POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const newcomer = async (): Promise<Customer> => await newCustomer(service.url, service.operator)
  const check = async (customer: Customer, url: string): Promise<UrlCheck> =>
    expectStatus(200, await customer.api.post<UrlCheck>('/v1/url-checks', { url }))
  const codes = ({ findings }: UrlCheck): string[] =>
    findings.map(({ code, severity }) => `${severity} ${code}`)

  test('a reachable server is reported with its certificate, after a single HEAD request', async () => {
    const certificate = makeCertificate({ name: 'good', ...forLocalhost, validDays: [-1, 90] })
    await using receiver = await startTlsReceiver(certificate, (_, response) => response.writeHead(405).end())
    const acme = await newcomer()
    const found = await check(acme, receiver.url('/mail?tenant=7'))
    expect(found).toEqual({
      ok: true,
      addresses_found: true,
      connected: true,
      tls: { valid_until: expect.any(String), issuer: 'Posthorn test authority' },
      status_code: 405,
      redirect_to: null,
      phases: {
        dns_ms: expect.any(Number),
        connect_ms: expect.any(Number),
        tls_ms: expect.any(Number),
        first_byte_ms: expect.any(Number),
      },
      findings: [],
    })
    const days = (Date.parse(found.tls?.valid_until ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
    expect(receiver.requests).toEqual(['HEAD /mail?tenant=7'])
    // the second check resumes the TLS session and shows the same certificate
    expect((await check(acme, receiver.url('/again'))).tls).toEqual(found.tls)
    expect(await allEvents(acme.api)).toEqual([])
    expect(expectStatus(200, await acme.api.get('/v1/webhooks'))).toMatchObject({ data: [] })
  })

  test('a redirect is reported as a full URL that can be used instead, and is not followed', async () => {
    const certificate = makeCertificate({ name: 'good', ...forLocalhost })
    await using receiver = await startTlsReceiver(certificate, (request, response) => {
      if (request.url === '/mail') response.writeHead(301, { location: '/mail/?x=1' })
      response.end()
    })
    const acme = await newcomer()
    const found = await check(acme, receiver.url('/mail'))
    expect(found).toMatchObject({ ok: true, status_code: 301, redirect_to: receiver.url('/mail/?x=1') })
    expect(codes(found)).toEqual(['warning redirect_refused'])
    expect(found.findings[0]?.message).toContain('Your server redirected us to localhost')
    expect(receiver.requests).toEqual(['HEAD /mail'])
    expect(await check(acme, found.redirect_to ?? '')).toMatchObject({ status_code: 200, findings: [] })
  })

  test.each([
    ['javascript:alert(1)', null],
    ['http://[', null],
    ['//other.example.com/x', 'https://other.example.com/x'],
  ])('a redirect to %s is reported as %s', async (location, target) => {
    const certificate = makeCertificate({ name: 'good', ...forLocalhost })
    await using receiver = await startTlsReceiver(certificate, (_, response) =>
      response.writeHead(302, { location }).end(),
    )
    expect((await check(await newcomer(), receiver.url('/'))).redirect_to).toBe(target)
  })

  test('a certificate that expires in less than two weeks gets a warning', async () => {
    const soon = makeCertificate({ name: 'soon', ...forLocalhost, validDays: [-80, 6.5] })
    await using receiver = await startTlsReceiver(soon, (_, response) => response.end())
    const found = await check(await newcomer(), receiver.url('/'))
    expect(found.ok).toBe(true)
    expect(found.findings).toEqual([
      {
        code: 'certificate_ends_soon',
        severity: 'warning',
        message: 'The certificate expires in 6 days. Renew it, or deliveries will fail after that.',
      },
    ])
  })

  test('the check of an endpoint also warns about a certificate that expires soon', async () => {
    const soon = makeCertificate({ name: 'soon', ...forLocalhost, validDays: [-80, 6.5] })
    await using receiver = await startTlsReceiver(soon, (_, response) => response.writeHead(401).end())
    const acme = await newcomer()
    const { id } = await acme.newWebhook({ url: receiver.url('/') })
    const found = expectStatus(200, await acme.api.post<EndpointCheck>(`/v1/webhooks/${id}/check`))
    expect(found.findings.map(({ code }) => code)).toEqual([
      'refuses_right_signature',
      'certificate_ends_soon',
    ])
  })

  test('an expired certificate, one for another host and plain HTTP are critical, with the steps that succeeded', async () => {
    const acme = await newcomer()
    const expired = makeCertificate({ name: 'expired', ...forLocalhost, validDays: [-60, -2] })
    const foreign = makeCertificate({ name: 'foreign', hosts: ['www.example.com'], issuer: authority })
    for (const [certificate, code, words] of [
      [expired, 'tls_expired', 'The certificate expired on '],
      [foreign, 'tls_name_mismatch', 'The certificate is for www.example.com, not for localhost.'],
    ] as const) {
      await using receiver = await startTlsReceiver(certificate, (_, response) => response.end())
      const found = await check(acme, receiver.url('/'))
      expect(found).toMatchObject({ ok: false, connected: true, tls: null, status_code: null })
      expect(codes(found)).toEqual([`critical ${code}`])
      expect(found.findings[0]?.message).toContain(words)
      expect(receiver.requests).toEqual([])
    }
    await using plain = await startReceiver()
    const found = await check(acme, plain.url().replace('http:', 'https:'))
    expect(codes(found)).toEqual(['critical tls_failed'])
  })

  test('a refused connection, a slow server and an error response get different findings', async () => {
    const acme = await newcomer()
    const closed = await startReceiver()
    const nobody = closed.url()
    await closed[Symbol.asyncDispose]()
    const refused = await check(acme, nobody)
    expect(refused).toMatchObject({ ok: false, addresses_found: true, connected: false, status_code: null })
    expect(codes(refused)).toEqual(['critical connect_refused'])

    await using slow = await startReceiver((_, response) => {
      setTimeout(() => response.writeHead(200).end(), 1_100)
      return undefined
    })
    const late = await check(acme, slow.url())
    expect(late).toMatchObject({ ok: true, status_code: 200, tls: null })
    expect(codes(late)).toEqual(['warning slow'])
    expect(late.findings[0]?.message).toMatch(/^The answer took 1\.\d s; the limit is 2 s\./)

    await using failing = await startReceiver(() => 503)
    const failed = await check(acme, failing.url())
    expect(failed.ok).toBe(true)
    expect(codes(failed)).toEqual(['warning status_not_2xx'])
  })

  test('a URL that is not allowed is rejected without a request, and does not use up a check', async () => {
    await using receiver = await startReceiver()
    const acme = await newcomer()
    const ask = async (url: string): Promise<Answer<{ code?: string }>> =>
      await acme.api.post<{ code?: string }>('/v1/url-checks', { url })
    for (const url of ['ftp://example.com/', 'https://10.0.0.7/', 'https://user:pw@example.com/', 'x']) {
      expect(await ask(url)).toMatchObject({ status: 422, body: { code: 'url_not_allowed' } })
    }
    for (let n = 0; n < 10; n++) expect((await ask(receiver.url())).status).toBe(200)
    const refused = await ask(receiver.url())
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(receiver.received).toHaveLength(10)
    expect((await check(await newcomer(), receiver.url())).ok).toBe(true)
  })

  test('a check repeated with its Idempotency-Key sends one request', async () => {
    await using receiver = await startReceiver()
    const acme = await newcomer()
    const body = { url: receiver.url() }
    const first = await acme.api.post('/v1/url-checks', body, { 'idempotency-key': 'url-1' })
    const again = await acme.api.post('/v1/url-checks', body, { 'idempotency-key': 'url-1' })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(receiver.received).toHaveLength(1)
  })

  test('simultaneous checks with the same Idempotency-Key send one request', async () => {
    await using receiver = await startReceiver((_, response) => {
      setTimeout(() => response.writeHead(200).end(), 300)
      return undefined
    })
    const acme = await newcomer()
    const ask = async (): Promise<Answer<UrlCheck>> =>
      await acme.api.post<UrlCheck>('/v1/url-checks', { url: receiver.url() }, { 'idempotency-key': 'url-2' })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect(receiver.received).toHaveLength(1)
  })
})

test('a name that resolves to a forbidden address is critical, and the address is not shown', async () => {
  await using place = await newDatabasePlace(embedded)
  // localhost also resolves to ::1, which this operator did not allow
  await using service = await startService(newInstallation(place), { POSTHORN_EGRESS_ALLOW: '127.0.0.0/8' })
  await using receiver = await startReceiver()
  const acme = await newCustomer(service.url, service.operator)
  const url = receiver.url().replace('127.0.0.1', 'localhost')
  const found = expectStatus(200, await acme.api.post<UrlCheck>('/v1/url-checks', { url }))
  expect(found).toMatchObject({ ok: false, addresses_found: false, connected: null })
  expect(found.findings).toMatchObject([{ code: 'address_refused', severity: 'critical' }])
  expect(JSON.stringify(found)).not.toMatch(/::1|127\.0\.0\.1/)
  expect(receiver.received).toHaveLength(0)
})

test('the Idempotency-Key is in use if the first check is still running after 5 s', async () => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  await using receiver = await startReceiver((_, response) => {
    void over.then(() => response.writeHead(200).end())
    return undefined
  })
  await using place = await newDatabasePlace(embedded)
  await using service = await startService(newInstallation(place))
  const acme = await newCustomer(service.url, service.operator)
  const ask = async (): Promise<Answer<{ code?: string }>> =>
    await acme.api.post('/v1/url-checks', { url: receiver.url() }, { 'idempotency-key': 'url-3' })
  const first = ask()
  await until('the receiver is asked', () => receiver.received.length === 1)
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_use' } })
  end()
  expect((await first).status).toBe(200)
})
