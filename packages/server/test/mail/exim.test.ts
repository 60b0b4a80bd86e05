import { describe, expect, test } from 'vitest'
import { reasonOf } from '../../demo/mail/differences.ts'
import { startExim, whyNoExim } from '../../demo/mail/exim.ts'
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
