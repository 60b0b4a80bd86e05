import { arrival, heading, line, secondsSinceStart, step, success } from '../screen.ts'
import { tellStory } from '../story.ts'
import { waitUntil } from '../wait-until.ts'
import type { Destination } from './destination.ts'
import { differencesOf } from './differences.ts'
import { startExim, whyNoExim } from './exim.ts'
import type { MailServer } from './mail-server.ts'
import { mailboxes } from './mailboxes.ts'
import { startPostfix, whyNoPostfix } from './postfix.ts'
import { type MailStage, type MailStageOptions, openMailStage, openRecipients } from './stage.ts'
import { clickUnsubscribe, unsubscribePath } from './unsubscribe-link.ts'

const email = {
  from: 'Sender <news@sender.example>',
  subject: 'News of the week',
  text: 'Good news, every week.',
  unsubscribe: { list: 'weekly' },
}

/**
 * Sends mail through a real Postfix, and a real Exim next to it, to the same mailboxes of every kind, and shows the event for
 * each; resolves with the differences from the expected result.
 */
async function demo(opened: AsyncDisposableStack): Promise<string[]> {
  const why = whyNoPostfix()
  if (why !== null) return [`this cannot run here: ${why}`]
  const whyNotExim = whyNoExim()

  heading('Start')
  const destination = await openRecipients(opened)
  const open = async (
    name: MailServer['name'],
    start: NonNullable<MailStageOptions['start']>,
  ): Promise<MailStage> => {
    const stage = await openMailStage(opened, {
      start,
      onArrival: one => arrival(name.padEnd(7), one, 200),
    })
    const { mailServer, service, receiver } = stage
    line(`${name.padEnd(9)} ${mailServer.smtpUrl}, followed by posthorn ingest ${mailServer.ingestCommand}`)
    line(`service   ${service.url}, sends through ${name}`)
    line(`receiver  ${receiver.url}, verifies each event`)
    return stage
  }
  const postfix = await open('Postfix', startPostfix)
  const stages = [postfix]
  if (whyNotExim === null) stages.push(await open('Exim', startExim))
  else line(`Exim      not shown: ${whyNotExim}`)

  heading('The mailboxes, and how their mail servers answer')
  for (const { address, answers } of mailboxes) line(`${address.padEnd(22)} ${answers}`)
  const differences: string[] = []
  for (const stage of stages) differences.push(...(await sendToEach(stage)))
  differences.push(...(await unsubscribe(postfix, destination)))

  for (const { service, receiver, mailServer } of stages) {
    const exitCode = await service.stop()
    if (receiver.refusedCount > 0) differences.push(`the receiver of ${mailServer.name} rejected a request`)
    if (exitCode !== 0) differences.push(`the service exited with ${exitCode}, not with 0`)
  }
  return differences
}

async function sendToEach({ customer, arrivals, mailServer }: MailStage): Promise<string[]> {
  heading(`One email to each mailbox, through ${mailServer.name}`)
  const to = mailboxes.map(({ address }) => address)
  const { email_id: emailId } = await customer.createEmail({ body: { ...email, to } })
  step(`accepted and stored as ${emailId}; ${mailServer.name} now delivers it`)
  await waitUntil('an event for each recipient has arrived', () => arrivals.length >= mailboxes.length)
  const record = await customer.getEmail({ params: { id: emailId } })

  heading('The state of each recipient in the API')
  for (const { address, state, reply } of record.recipients ?? []) {
    line(`${address.padEnd(22)} ${state.padEnd(10)} ${reply?.message ?? ''}`)
  }
  return differencesOf(mailboxes, arrivals, record).map(text => `${mailServer.name}: ${text}`)
}

async function unsubscribe(
  { service, customer, arrivals }: MailStage,
  destination: Destination,
): Promise<string[]> {
  heading('One click on "Unsubscribe"')
  // Postfix was the first to deliver it
  const received = destination.accepted.find(({ recipient }) => recipient === 'anna@good.example')
  if (received === undefined) return ['the email for anna@good.example did not arrive']
  const before = destination.accepted.length
  const path = unsubscribePath(received.message)
  const statuses = [await clickUnsubscribe(service.url + path), await clickUnsubscribe(service.url + path)]
  step(`anna@good.example clicks twice; the answers are ${statuses.join(' and ')}`)
  await waitUntil('the unsubscribe event has arrived', () => count(arrivals, 'email.unsubscribed') === 1)

  heading('The next email to the list')
  const to = ['anna@good.example', 'later@good.example']
  const next = await customer.createEmail({ body: { ...email, to } })
  step(`accepted and stored as ${next.email_id}`)
  await waitUntil('the other recipient has received it', () => count(arrivals, 'email.delivered') === 3)
  await waitUntil(
    'the event for the suppressed recipient has arrived',
    () => count(arrivals, 'email.failed') === 3,
  )
  const later = destination.accepted.slice(before)
  return [
    ...(later.some(({ recipient }) => recipient === 'anna@good.example')
      ? ['an unsubscribed recipient received another email']
      : []),
    ...(statuses.join() === '200,200' ? [] : ['a click on the link was not answered with 200']),
  ]
}

function count(arrivals: readonly { event: { type: string } }[], type: string): number {
  return arrivals.filter(one => one.event.type === type).length
}

await tellStory(demo, () => {
  success('each recipient has the event and the reason that match the answer of its mail server')
  success(`the services drained and exited with 0; the demo took ${secondsSinceStart()} s`)
})
