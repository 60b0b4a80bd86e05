import type { EmailAccepted, Event, Stats, Suppression } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { headerOf, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const news = { list: 'news' }

describe.each(verbBackends())('unsubscribing on $name', backend => {
  let place: DatabasePlace
  let sink: SmtpSink
  let service: ServiceProcess
  let customer: Customer
  let subjects = 0
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    sink = await startSmtpSink()
    service = await startService(newInstallation(place), { POSTHORN_SMTP_URL: sink.url })
    customer = await newCustomer(service.url, service.operator)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  /** Sends one mail and returns its unsubscribe link, or the reason why it was not sent. */
  async function send(
    to: string,
    unsubscribe?: { list?: string },
  ): Promise<{ heldBack: unknown; link: string | undefined }> {
    const subject = `Mail ${++subjects}`
    const input = { from: 'shop@shop.example', subject, text: 'Hello.', to: [to], unsubscribe }
    const { email_id: id } = expectStatus(202, await customer.api.post<EmailAccepted>('/v1/emails', input))
    return await until('the mail has come or was held back', async () => {
      const mail = sink.taken.find(({ raw }) => headerOf(raw, 'Subject') === subject)
      const field = mail && headerOf(mail.raw, 'List-Unsubscribe')
      if (mail !== undefined) return { heldBack: null, link: /<(http[^>]+)>/.exec(field ?? '')?.[1] }
      const failed = (await allEvents(customer.api)).find(event => event.data.email_id === id)
      return failed === undefined ? false : { heldBack: failed.data['failure'], link: undefined }
    })
  }

  const heldBack = (reason: string) => ({
    heldBack: {
      category: 'policy',
      reason: 'recipient_suppressed',
      suppression: { reason, since: expect.any(String) },
    },
  })

  const click = async (link: string | undefined): Promise<void> => {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const answer = await fetch(link ?? '', { method: 'POST', body, redirect: 'error' })
    expect(answer.status).toBe(200)
  }

  test('the link in a mail stops its list and no other mail, until the suppression is lifted', async () => {
    const { link } = await send('ann@one.example', news)
    expect(link).toContain(`${service.url}/u/`)
    await click(link)
    const [event] = (await allEvents(customer.api)) as [Event]
    expect(event).toMatchObject({
      type: 'email.unsubscribed',
      data: {
        recipient: 'ann@one.example',
        from: 'shop@shop.example',
        unsubscribe: { source: 'one_click', scope: { type: 'list', id: 'news' } },
      },
    })

    expect(await send('ann@one.example', news)).toMatchObject(heldBack('unsubscribed'))
    expect(await send('Ann@ONE.example', news)).toMatchObject(heldBack('unsubscribed'))
    for (const unsubscribe of [undefined, {}, { list: 'offers' }]) {
      expect(await send('ann@one.example', unsubscribe)).toMatchObject({ heldBack: null })
    }

    const { data } = expectStatus(
      200,
      await customer.api.get<{ data: Suppression[] }>('/v1/suppressions?address=ann@one.example'),
    )
    expect(data).toMatchObject([{ reason: 'unsubscribe', email_id: event.data.email_id, event_id: event.id }])
    expect((await customer.api.delete(`/v1/suppressions/${data[0]?.id}`)).status).toBe(204)
    expect(await send('ann@one.example', news)).toMatchObject({ heldBack: null })
  })

  test('the link in a mail without a list stops all mail that has a link, but not receipts', async () => {
    await click((await send('bob@one.example', {})).link)
    expect(await send('bob@one.example', news)).toMatchObject(heldBack('unsubscribed'))
    expect(await send('bob@one.example', {})).toMatchObject(heldBack('unsubscribed'))
    expect(await send('bob@one.example')).toMatchObject({ heldBack: null, link: undefined })
  })

  test('a spam complaint stops mail of any kind', async () => {
    await customer.api.post('/v1/outcomes', {
      email_id: 'x',
      recipient: 'cid@one.example',
      disposition: 'complaint',
    })
    expect(await send('cid@one.example')).toMatchObject(heldBack('complaint'))
  })

  test('the statistics count what happened when mails were handed over and links clicked', async () => {
    const count = (events: readonly Event[], type: string): number =>
      events.filter(event => event.type === type).length
    await until('all are counted', async () => {
      const events = await allEvents(customer.api)
      const { outcomes } = expectStatus(200, await customer.api.get<Stats>('/v1/stats'))
      return (
        outcomes?.total.unsubscribed === count(events, 'email.unsubscribed') &&
        outcomes.total.failed === count(events, 'email.failed') &&
        outcomes.failed_by_reason['recipient_suppressed'] === outcomes.total.failed &&
        outcomes.unsubscribed_by_source['one_click'] === 2 &&
        outcomes.total.complaints === 1
      )
    })
  })
})
