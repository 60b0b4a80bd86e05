import type { Email, EmailAccepted } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { type Api, customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { headerOf, startSmtpSink } from '../support/smtp-sink.ts'
import { newDatabasePlace, newestServer, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const message = { from: 'shop@shop.example', subject: 'Your receipt', text: 'Thank you.' }

/** Short leases, so that another process soon claims what a killed process held. */
const shortLease = { POSTHORN_LEASE_SECONDS: '5', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3' }

async function send(api: Api, to: string[]): Promise<string> {
  return expectStatus(202, await api.post<EmailAccepted>('/v1/emails', { ...message, to })).email_id
}

async function handedOver(api: Api, emailId: string, count = 1): Promise<Email> {
  return await until(
    'all recipients are handed over',
    async () => {
      const email = expectStatus(200, await api.get<Email>(`/v1/emails/${emailId}`))
      return email.states.handed_over === count && email
    },
    60_000,
  )
}

describe.each(verbBackends())('handover on $name', backend => {
  test('an accepted email is sent even if the process is killed at once', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    // nothing listens on this port any more
    const gone = await startSmtpSink()
    await gone[Symbol.asyncDispose]()
    const first = await startService(installation, { POSTHORN_SMTP_URL: gone.url })
    const { accountId, apiKey, api } = await newCustomer(first.url, first.operator)
    const emailId = await send(api, ['ann@one.example'])
    await first.kill()

    await using sink = await startSmtpSink()
    await using second = await startService(installation, {
      POSTHORN_SMTP_URL: sink.url,
      ...shortLease,
    })
    await handedOver(customerAt(second.url, accountId, apiKey).api, emailId)
    expect(sink.for('ann@one.example')).toHaveLength(1)
  })

  test('a kill before the mail server’s 250 is stored sends the email again with the same Message-ID', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    const hasAll = Promise.withResolvers<void>()
    const killed = Promise.withResolvers<void>()
    await using sink = await startSmtpSink({
      onMessage: async () => {
        // the whole message has arrived, but the process that would read the 250 is dead
        hasAll.resolve()
        await killed.promise
        return undefined
      },
    })
    const settings = { POSTHORN_SMTP_URL: sink.url, ...shortLease }
    const first = await startService(installation, settings)
    const { accountId, apiKey, api } = await newCustomer(first.url, first.operator)
    const emailId = await send(api, ['ann@one.example'])
    await hasAll.promise
    await first.kill()
    killed.resolve()
    await until('the mail server has it', () => sink.for('ann@one.example').length === 1)

    await using second = await startService(installation, settings)
    await handedOver(customerAt(second.url, accountId, apiKey).api, emailId)
    const mails = sink.for('ann@one.example')
    expect(mails).toHaveLength(2)
    expect(new Set(mails.map(mail => headerOf(mail.raw, 'Message-ID')))).toEqual(
      new Set([`<${emailId}@shop.example>`]),
    )
    expect(mails[0]?.from).toBe(mails[1]?.from)
    expect(headerOf(mails[0]?.raw ?? Buffer.alloc(0), 'Date')).toBe(
      headerOf(mails[1]?.raw ?? Buffer.alloc(0), 'Date'),
    )
  })

  test('on shutdown, the process finishes the email in flight, and the next process does not repeat it', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    const hasAll = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    await using sink = await startSmtpSink({
      onMessage: async () => {
        hasAll.resolve()
        await goOn.promise
        return undefined
      },
    })
    const settings = { POSTHORN_SMTP_URL: sink.url }
    const first = await startService(installation, settings)
    const { accountId, apiKey, api } = await newCustomer(first.url, first.operator)
    const emailId = await send(api, ['ann@one.example'])
    await hasAll.promise
    const stopping = first.stop()
    goOn.resolve()
    expect(await stopping).toBe(0)

    await using second = await startService(installation, settings)
    await handedOver(customerAt(second.url, accountId, apiKey).api, emailId)
    expect(sink.for('ann@one.example')).toHaveLength(1)
  })
})

test('two processes share the work, and no recipient gets an email twice', async () => {
  await using place = await newDatabasePlace(newestServer())
  const installation = newInstallation(place)
  await using sink = await startSmtpSink()
  const settings = { POSTHORN_SMTP_URL: sink.url }
  await using one = await startService(installation, settings)
  await using other = await startService(installation, settings)
  const customer = await newCustomer(one.url, one.operator)
  const there = customerAt(other.url, customer.accountId, customer.apiKey)
  const to = (from: number): string[] =>
    Array.from({ length: 100 }, (_, n) => `reader${from + n}@one.example`)
  const ids = await Promise.all([
    send(customer.api, to(0)),
    send(there.api, to(100)),
    send(customer.api, to(200)),
    send(there.api, to(300)),
  ])
  for (const id of ids) await handedOver(customer.api, id, 100)
  expect(new Set(sink.taken.map(mail => mail.to[0])).size).toBe(400)
  expect(sink.taken).toHaveLength(400)
  for (const { url } of [one, other]) {
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /handovers_total\{.*result="handed_over"\} [1-9]/,
    )
  }
})
