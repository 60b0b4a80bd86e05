import { arrival, heading, line, secondsSinceStart, step, success } from '../screen.ts'
import { tellStory } from '../story.ts'
import { waitUntil } from '../wait-until.ts'
import { differencesOf } from './differences.ts'
import { mailboxes } from './mailboxes.ts'
import { whyNoPostfix } from './postfix.ts'
import { openMailStage } from './stage.ts'
import { clickUnsubscribe, unsubscribePath } from './unsubscribe-link.ts'

const email = {
  from: 'Sender <news@sender.example>',
  subject: 'News of the week',
  text: 'Good news, every week.',
  unsubscribe: { list: 'weekly' },
}

/**
 * Sends mail through a real Postfix to mailboxes of every kind, and shows the event for each; resolves with the
 * differences from the expected result.
 */
async function demo(opened: AsyncDisposableStack): Promise<string[]> {
  const why = whyNoPostfix()
  if (why !== null) return [`this cannot run here: ${why}`]

  heading('Start')
  const stage = await openMailStage(opened, { onArrival: one => arrival('hook', one, 200) })
  const { customer, arrivals, destination } = stage
  line(`service   ${stage.service.url}`)
  line(`Postfix   ${stage.postfix.smtpUrl}, followed by posthorn ingest postfix`)
  line(`receiver  ${stage.receiver.url}, verifies each event`)

  heading('One email to mailboxes of every kind')
  for (const { address, answers } of mailboxes) line(`${address.padEnd(22)} ${answers}`)
  const to = mailboxes.map(({ address }) => address)
  const { email_id: emailId } = await customer.createEmail({ body: { ...email, to } })
  step(`accepted and stored as ${emailId}; Postfix now delivers it`)
  await waitUntil('an event for each recipient has arrived', () => arrivals.length >= mailboxes.length)
  const record = await customer.getEmail({ params: { id: emailId } })
  const differences = differencesOf(mailboxes, arrivals, record)

  heading('The state of each recipient in the API')
  for (const { address, state, reply } of record.recipients ?? []) {
    line(`${address.padEnd(22)} ${state.padEnd(10)} ${reply?.message ?? ''}`)
  }

  heading('One click on "Unsubscribe"')
  const received = destination.accepted.find(({ recipient }) => recipient === 'anna@good.example')
  if (received === undefined) return [...differences, 'the email for anna@good.example did not arrive']
  const path = unsubscribePath(received.message)
  const statuses = [
    await clickUnsubscribe(stage.service.url + path),
    await clickUnsubscribe(stage.service.url + path),
  ]
  step(`anna@good.example clicks twice; the answers are ${statuses.join(' and ')}`)
  await waitUntil('the unsubscribe event has arrived', () => count(arrivals, 'email.unsubscribed') === 1)

  heading('The next email to the list')
  const next = await customer.createEmail({
    body: { ...email, to: ['anna@good.example', 'later@good.example'] },
  })
  step(`accepted and stored as ${next.email_id}`)
  await waitUntil('the other recipient has received it', () => count(arrivals, 'email.delivered') === 3)
  await waitUntil(
    'the event for the suppressed recipient has arrived',
    () => count(arrivals, 'email.failed') === 3,
  )

  const exitCode = await stage.service.stop()
  const emails = destination.accepted.filter(({ recipient }) => recipient === 'anna@good.example')
  if (emails.length !== 1) differences.push('an unsubscribed recipient received another email')
  if (statuses.join() !== '200,200') differences.push('a click on the link was not answered with 200')
  if (stage.receiver.refusedCount > 0) differences.push('the receiver rejected a request')
  if (exitCode !== 0) differences.push(`the service exited with ${exitCode}, not with 0`)
  return differences
}

function count(arrivals: readonly { event: { type: string } }[], type: string): number {
  return arrivals.filter(one => one.event.type === type).length
}

await tellStory(demo, () => {
  success('each recipient has the event and the reason that match the answer of its mail server')
  success(`the service drained and exited with 0; the demo took ${secondsSinceStart()} s`)
})
