import type { Email, EmailAccepted, SystemHealth } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { type DatabasePlace, newDatabasePlace, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('a mail server that refuses our connection, on $name', backend => {
  let place: DatabasePlace
  let sink: SmtpSink
  let service: ServiceProcess
  let refusal: string | undefined

  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    sink = await startSmtpSink({
      onRecipient: () => refusal,
      server: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(null, { user: 'post' }),
      },
    })
    service = await startService(newInstallation(place), {
      POSTHORN_SMTP_URL: sink.url.replace('//', '//post:horn@'),
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  test.each([
    ['wants a login', '530 5.7.0 Authentication required'],
    [
      'wants a login in its own words',
      '553 5.7.1 <shop@shop.example>: Sender address rejected: not logged in',
    ],
    ['wants encryption', '538 5.7.11 Encryption required'],
    ['does not relay for our login', '554 5.7.1 <ann@one.example>: Relay access denied'],
  ])(
    'if it %s, the email stays queued, the operator is warned, and it is sent after the fix',
    async (_what, reply) => {
      refusal = reply
      const told = service.output().length
      const customer = await newCustomer(service.url, service.operator)
      const answer = await customer.api.post<EmailAccepted>('/v1/emails', {
        from: 'shop@shop.example',
        to: ['ann@one.example'],
        subject: 'Your receipt',
        text: 'Thank you.',
      })
      const { email_id: id } = expectStatus(202, answer)
      const recipient = async () =>
        expectStatus(200, await customer.api.get<Email>(`/v1/emails/${id}`)).recipients?.[0]
      const waiting = await until('it was offered', async () => {
        const found = await recipient()
        return found?.reply !== null && found
      })
      expect(waiting).toMatchObject({ state: 'queued', reply: { code: Number(reply.slice(0, 3)) } })
      const warning = await until('the operator is told', () =>
        /the mail server refuses our mail[^"]*/.exec(service.output().slice(told)),
      )
      expect(warning[0]).toContain('POSTHORN_SMTP_URL')
      const { mail } = expectStatus(200, await service.operator.get<SystemHealth>('/v1/system/health'))
      expect(mail).toMatchObject({ waiting: 1, oldest_seconds: expect.any(Number) })
      expect(mail.last_reply).toMatch(new RegExp(`^${reply.slice(0, 9)}`))
      expect(mail.message).toBe(
        `The mail server has not taken the email to 1 recipient, the oldest for ${mail.oldest_seconds === 0 ? '0 ms' : `${mail.oldest_seconds} s`}. Its last reply: “${mail.last_reply}”.`,
      )
      refusal = undefined
      await until('it is sent', async () => (await recipient())?.state === 'handed_over', 60_000)
      expect(await allEvents(customer.api)).toEqual([])
      const recoveries = () =>
        service.output().slice(told).split('the mail server accepts mail again').length - 1
      await until('the recovery is logged', () => recoveries() > 0)
      expect(recoveries()).toBe(1)
      const after = expectStatus(200, await service.operator.get<SystemHealth>('/v1/system/health'))
      expect(after.mail).toMatchObject({ waiting: 0, oldest_seconds: 0, last_reply: null, message: null })
    },
  )
})
