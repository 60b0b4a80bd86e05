import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { describe, expect, test } from 'vitest'
import { reasonOf } from '../../demo/mail/differences.ts'
import { mailboxes } from '../../demo/mail/mailboxes.ts'
import { whyNoExim } from '../../demo/mail/exim.ts'
import { whyNoPostfix } from '../../demo/mail/postfix.ts'
import { type MailStage, openMailStage, openRecipients } from '../../demo/mail/stage.ts'
import { bounceMail, statusGroup } from '../sources/mails.ts'
import { canRun } from '../support/can-run.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { until } from '../support/until.ts'

const demo = fileURLToPath(new URL('../../demo/mail/run.ts', import.meta.url))
const letter = { from: 'news@sender.example', subject: 'News', text: 'Good news.' }

const why = whyNoPostfix()
const runs = canRun('mail through a real Postfix', why === null, `postfix (${why})`)

const prepare = async (dataDir: string): Promise<void> => await copyEmbeddedDatabase(dataDir, 'schema')

describe.runIf(runs)('mail through a real Postfix', () => {
  test('each recipient’s event matches the reply of its mail server, and one click unsubscribes', async () => {
    const servers = whyNoExim() === null ? ['Postfix', 'Exim'] : ['Postfix']
    const child = spawn(process.execPath, ['--conditions=@posthorn/source', demo], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])

    expect({ code: child.exitCode, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    for (const { address, event } of mailboxes) {
      for (const server of servers) {
        expect(stdout).toMatch(new RegExp(`✓ ${server} +#\\d+ +${event} +${address} +v1 by first key\n`))
      }
    }
    expect(stdout).toMatch(/✓ Postfix +#\d+ +email\.unsubscribed +anna@good\.example +v1 by first key\n/)
    expect(stdout).toContain('anna@good.example clicks twice; the answers are 200 and 200\n')
  })

  test('without the Postfix log, its bounce messages report each failed recipient, and none is reported as delivered', async () => {
    await using opened = new AsyncDisposableStack()
    await openRecipients(opened)
    const stage = await openMailStage(opened, { prepare, without: 'log' })
    const to = mailboxes.map(({ address }) => address)
    const { email_id: id } = await stage.customer.createEmail({ body: { ...letter, to } })

    const refused = mailboxes.filter(({ event }) => event !== 'email.delivered')
    await until('all refusals are told', () => stage.arrivals.length >= refused.length)
    expect(toldBy(stage)).toEqual(
      refused.map(({ address, event, reason }) => `${address} ${event} ${reason}`).toSorted(),
    )
    const { recipients = [] } = await stage.customer.getEmail({ params: { id } })
    const [anna] = recipients
    expect(anna).toMatchObject({
      address: 'anna@good.example',
      state: 'handed_over',
      outcome_expected: false,
    })
  })

  test('a bounce message after a delivery bounces only the recipient that its return path names', async () => {
    await using opened = new AsyncDisposableStack()
    const destination = await openRecipients(opened)
    const stage = await openMailStage(opened, { prepare })
    const to = ['anna@good.example', 'later@good.example']
    await stage.customer.createEmail({ body: { ...letter, to } })
    await until('both are delivered', () => stage.arrivals.length >= 2)

    const returnPath = (of: string): string =>
      destination.accepted.find(({ recipient }) => recipient === of)?.sender ?? ''
    const genuine = returnPath('anna@good.example')
    // the last character before the @ is part of the mac
    const forged = returnPath('later@good.example').replace(/.@/, end => (end === '0@' ? '1@' : '0@'))
    await sendBack(stage, forged, 'later@good.example')
    await sendBack(stage, genuine, 'anna@good.example')
    await until('the forged one was refused', () => wasRefused(stage, forged))
    await until('the bounce is told', () => stage.arrivals.length >= 3)
    expect(toldBy(stage)).toEqual([
      'anna@good.example email.bounced invalid_recipient',
      'anna@good.example email.delivered',
      'later@good.example email.delivered',
    ])
  })
})

/** Sends a bounce message through Postfix to the return path, as the receiving mail server would. */
async function sendBack(stage: MailStage, to: string, about: string): Promise<void> {
  const mailer = createTransport(stage.mailServer.smtpUrl)
  const raw = bounceMail(to, [statusGroup(about)])
  await mailer.sendMail({ envelope: { from: '', to }, raw })
  mailer.close()
}

function wasRefused(stage: MailStage, address: string): boolean {
  return stage.mailServer
    .log()
    .split('\n')
    .some(line => line.includes(`to=<${address}>`) && /status=bounced .* 550 /.test(line))
}

/** The events that the receiver verified, sorted. */
function toldBy(stage: MailStage): string[] {
  return stage.arrivals
    .map(({ event }) => {
      const reason = reasonOf(event)
      return `${event.data.to[0]} ${event.type}${reason === null ? '' : ` ${reason}`}`
    })
    .toSorted()
}
