import type { Email, NoticeEmail } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, type Customer, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { headerOf, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { type DatabasePlace, embedded, newDatabasePlace, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const path = '/v1/notice-email'

describe.each(verbBackends())('notices by mail on $name', backend => {
  let place: DatabasePlace
  let sink: SmtpSink
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    sink = await startSmtpSink({
      onRecipient: address => (address.startsWith('nobody') ? '550 5.1.1 No such user' : undefined),
    })
    service = await startService(newInstallation(place), {
      POSTHORN_SMTP_URL: sink.url,
      POSTHORN_NOTICES_FROM: 'posthorn@ops.example',
      POSTHORN_PUBLIC_URL: 'https://mail.ops.example',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  /** Creates an account whose only endpoint has just answered 410. */
  async function disabledEndpoint(address: string, description = ''): Promise<Customer> {
    const acme = await newCustomer(service.url, service.operator)
    expectStatus(200, await acme.api.put<NoticeEmail>(path, { address }))
    await using receiver = await startReceiver(() => 410)
    const webhook = await acme.newWebhook({ url: `${receiver.url()}?token=canary`, description })
    await acme.report(1)
    await until('it is disabled', async () => {
      const { body } = await acme.api.get<{ status: string }>(`/v1/webhooks/${webhook.id}`)
      return body.status === 'disabled'
    })
    return acme
  }

  test('a notice about a disabled endpoint is sent in plain words to the account’s address', async () => {
    const acme = await disabledEndpoint('night@one.example')
    const mail = await until('the mail arrives', () => sink.for('night@one.example')[0])
    expect(headerOf(mail.raw, 'From')).toBe('Posthorn <posthorn@ops.example>')
    expect(headerOf(mail.raw, 'Subject')).toMatch(/^Your endpoint at 127\.0\.0\.1:\d+ was disabled$/)
    expect(headerOf(mail.raw, 'Auto-Submitted')).toBe('auto-generated')
    const text = mail.raw.toString().replaceAll('=\r\n', '')
    expect(text).toContain('https://mail.ops.example/endpoints/wh_')
    expect(text).not.toContain('canary')

    // it is not the account's email, so it is not counted and not reported
    expect(expectStatus(200, await acme.api.get<Page<Email>>('/v1/emails')).data).toEqual([])
    expect((await allEvents(acme.api)).map(event => event.type)).toEqual(['email.delivered'])
  })

  test('a notice calls the endpoint by its description', async () => {
    await disabledEndpoint('night@two.example', 'Billing\nin production')
    const mail = await until('the mail arrives', () => sink.for('night@two.example')[0])
    expect(headerOf(mail.raw, 'Subject')).toBe('Your endpoint Billing in production was disabled')
  })

  test('a rejected notice is abandoned without an event and delays no other notice', async () => {
    const acme = await disabledEndpoint('nobody@one.example')
    await disabledEndpoint('after@one.example')
    await until('the next one arrives', () => sink.for('after@one.example')[0])
    expect(sink.for('nobody@one.example')).toEqual([])
    expect((await allEvents(acme.api)).map(event => event.type)).toEqual(['email.delivered'])
    await until('nothing waits', async () => {
      const answer = await fetch(`${service.url}/metrics`)
      // a front adds the shard
      return /^posthorn_handovers_waiting(\{shard="0"\})? 0$/m.test(await answer.text())
    })
  })

  test('the address can be read, changed and deleted', async () => {
    const acme = await newCustomer(service.url, service.operator)
    expect((await acme.api.get(path)).status).toBe(404)
    expect((await acme.api.put(path, { address: 'no address' })).status).toBe(422)
    expect((await acme.api.put(path, { address: 'Ann@ONE.example' })).body).toEqual({
      address: 'Ann@one.example',
    })
    expect((await acme.api.get(path)).body).toEqual({ address: 'Ann@one.example' })
    expectStatus(204, await acme.api.delete(path))
    expect((await acme.api.get(path)).status).toBe(404)
    expect((await acme.api.delete(path)).status).toBe(404)
  })
})

test('without a configured sender, an address is rejected with the setting that the operator needs', async () => {
  await using place = await newDatabasePlace(embedded)
  await using service = await startService(newInstallation(place))
  const acme = await newCustomer(service.url, service.operator)
  const refused = await acme.api.put<{ code: string; detail: string }>(path, { address: 'a@one.example' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'sending_not_configured' } })
  expect(refused.body.detail).toContain('POSTHORN_NOTICES_FROM')
})
