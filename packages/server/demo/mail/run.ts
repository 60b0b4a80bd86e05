import { arrival, heading, line, secondsSinceStart, step, success } from '../screen.ts'
import { tellStory } from '../story.ts'
import { waitUntil } from '../wait-until.ts'
import { differencesOf } from './differences.ts'
import { mailboxes } from './mailboxes.ts'
import { whyNoPostfix } from './postfix.ts'
import { openMailStage } from './stage.ts'
import { clickUnsubscribe, unsubscribePath } from './unsubscribe-link.ts'

const letter = {
  from: 'Sender <news@sender.example>',
  subject: 'News of the week',
  text: 'Good news, every week.',
  unsubscribe: { list: 'weekly' },
}

/**
 * Sends mail through a real Postfix to mailboxes of every kind, and shows what the account is told of each; resolves
 * with what went otherwise than promised.
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

  heading('One email to a mailbox of each kind')
  for (const { address, answers } of mailboxes) line(`${address.padEnd(22)} ${answers}`)
  const to = mailboxes.map(({ address }) => address)
  const { email_id: emailId } = await customer.createEmail({ body: { ...letter, to } })
  step(`accepted and stored as ${emailId}; Postfix takes it from here`)
  await waitUntil('the account has been told of each recipient', () => arrivals.length >= mailboxes.length)
  const record = await customer.getEmail({ params: { id: emailId } })
  const differences = differencesOf(mailboxes, arrivals, record)

  heading('What the record of the email says')
  for (const { address, state, reply } of record.recipients ?? []) {
    line(`${address.padEnd(22)} ${state.padEnd(10)} ${reply?.message ?? ''}`)
  }

  heading('One click on "Unsubscribe"')
  const kept = destination.accepted.find(({ recipient }) => recipient === 'anna@good.example')
  if (kept === undefined) return [...differences, 'the mail for anna@good.example did not arrive']
  const path = unsubscribePath(kept.message)
  const statuses = [
    await clickUnsubscribe(stage.service.url + path),
    await clickUnsubscribe(stage.service.url + path),
  ]
  step(`anna@good.example clicks twice; the answers are ${statuses.join(' and ')}`)
  await waitUntil('the account has been told', () => told(arrivals, 'email.unsubscribed') === 1)

  heading('The next email of the list')
  const next = await customer.createEmail({
    body: { ...letter, to: ['anna@good.example', 'later@good.example'] },
  })
  step(`accepted and stored as ${next.email_id}`)
  await waitUntil('the other one has it', () => told(arrivals, 'email.delivered') === 3)
  await waitUntil(
    'the account has been told of the one held back',
    () => told(arrivals, 'email.failed') === 3,
  )

  const exitCode = await stage.service.stop()
  const letters = destination.accepted.filter(({ recipient }) => recipient === 'anna@good.example')
  if (letters.length !== 1) differences.push('who had unsubscribed was written to again')
  if (statuses.join() !== '200,200') differences.push('a click on the link was not answered with 200')
  if (stage.receiver.refusedCount > 0) differences.push('the receiver refused a request')
  if (exitCode !== 0) differences.push(`the service ended with ${exitCode}, not with 0`)
  return differences
}

function told(arrivals: readonly { event: { type: string } }[], type: string): number {
  return arrivals.filter(one => one.event.type === type).length
}

await tellStory(demo, () => {
  success('each recipient has the event and the reason that its mail server gave cause for')
  success(`the service drained and ended with 0; ${secondsSinceStart()} s in all`)
})
