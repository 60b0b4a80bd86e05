import { createClient } from '@posthorn/client'
import { createTransport } from 'nodemailer'
import { describe, expect, test } from 'vitest'
import { reasonOf } from '../../demo/mail/differences.ts'
import { startExim, whyNoExim } from '../../demo/mail/exim.ts'
import { followLog } from '../../demo/mail/follow-log.ts'
import { mailboxes } from '../../demo/mail/mailboxes.ts'
import { startPostfix, whyNoPostfix } from '../../demo/mail/postfix.ts'
import {
  type MailStage,
  type MailStageOptions,
  openMailStage,
  openRecipients,
} from '../../demo/mail/stage.ts'
import { canRun } from '../support/can-run.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { until } from '../support/until.ts'

const why = whyNoPostfix() ?? whyNoExim()
const runs = canRun('mail through a real Exim next to a real Postfix', why === null, `both (${why})`)

const prepare = async (dataDir: string): Promise<void> => await copyEmbeddedDatabase(dataDir, 'schema')

describe.runIf(runs)('mail through a real Exim next to a real Postfix', () => {
  test('the logs of both make the same events', async () => {
    await using opened = new AsyncDisposableStack()
    await openRecipients(opened)
    const [postfix, exim] = await openBoth(opened, 'bounce messages')
    await Promise.all([sendToEach(postfix, mailboxes.length), sendToEach(exim, mailboxes.length)])
    const expected = mailboxes.map(({ address, event, reason }) => [address, event, reason])
    expect(resultsOf(exim).map(({ address, type, reason }) => [address, type, reason])).toEqual(expected)
    expect(resultsOf(exim)).toEqual(resultsOf(postfix))
    // the greylisted one was tried twice
    expect(resultsOf(exim)[1]).toMatchObject({ address: 'later@good.example', attempts: 2 })
  })

  test('the bounce messages of both make the same events, and Exim delivers each at the first try', async () => {
    await using opened = new AsyncDisposableStack()
    await openRecipients(opened)
    const [postfix, exim] = await openBoth(opened, 'log')
    const refused = mailboxes.filter(({ event }) => event !== 'email.delivered')
    await Promise.all([sendToEach(postfix, refused.length), sendToEach(exim, refused.length)])
    expect(resultsOf(exim).map(({ address }) => address)).toEqual(refused.map(({ address }) => address))
    expect(resultsOf(exim)).toEqual(resultsOf(postfix))
    const triesOf = (flag: string) => exim.mailServer.log().split(` ${flag} bounces+`).length - 1
    await until('Exim has an answer for each', () => triesOf('=>') + triesOf('==') >= refused.length || null)
    expect({ accepted: triesOf('=>'), deferred: triesOf('==') }).toEqual({
      accepted: refused.length,
      deferred: 0,
    })
  })

  test('an email that Posthorn did not send has the id in the header that Exim logs', async () => {
    await using opened = new AsyncDisposableStack()
    await openRecipients(opened)
    let dataDir = ''
    const prepareAndKeep = async (folder: string): Promise<void> => await prepare((dataDir = folder))
    const { mailServer, service, arrivals } = await openMailStage(opened, {
      start: startExim,
      without: 'log',
      prepare: prepareAndKeep,
    })
    const operator = createClient({ url: service.url, credential: service.adminToken })
    const [account] = (await operator.listAccounts()).data
    const options = ['--account', account?.id ?? '', '--email-id', 'header:X-Email-ID']
    opened.use(followLog(mailServer, service, dataDir, options))
    const mailer = createTransport(mailServer.smtpUrl)
    const mail = { from: 'shop@good.example', to: 'nobody@good.example', subject: 'Receipt', text: 'Thanks.' }
    await mailer.sendMail({ ...mail, headers: { 'X-Email-ID': 'order-1234' } })
    mailer.close()
    await until('the event has arrived', () => arrivals.length > 0 || null)
    expect(arrivals.map(({ event }) => [event.type, event.data.email_id, event.data.to])).toEqual([
      ['email.bounced', 'order-1234', ['nobody@good.example']],
    ])
  })
})

async function openBoth(
  opened: AsyncDisposableStack,
  without: NonNullable<MailStageOptions['without']>,
): Promise<[postfix: MailStage, exim: MailStage]> {
  const postfix = await openMailStage(opened, { start: startPostfix, without, prepare })
  return [postfix, await openMailStage(opened, { start: startExim, without, prepare })]
}

async function sendToEach({ customer, arrivals }: MailStage, eventsExpected: number): Promise<void> {
  const to = mailboxes.map(({ address }) => address)
  await customer.createEmail({
    body: { from: 'news@sender.example', subject: 'News', text: 'Good news.', to },
  })
  await until('all events have arrived', () => arrivals.length >= eventsExpected || null)
}

/** The events in the order of the mailboxes, without what differs between two mails or in the words of a mail server. */
function resultsOf({ arrivals }: MailStage) {
  const order = mailboxes.map(({ address }) => address)
  return arrivals
    .map(({ event }) => {
      const { data } = event
      return {
        address: data.to[0] ?? '',
        type: event.type,
        reason: reasonOf(event),
        code: 'smtp_response' in data ? data.smtp_response?.code : undefined,
        server: 'remote_mta' in data ? data.remote_mta : undefined,
        attempts: 'attempts' in data ? data.attempts : undefined,
        bounce: event.type === 'email.bounced' ? event.data.bounce : null,
        failure: event.type === 'email.failed' ? event.data.failure : null,
      }
    })
    .toSorted((one, other) => order.indexOf(one.address) - order.indexOf(other.address))
}
