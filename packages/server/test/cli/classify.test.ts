import { expect, test } from 'vitest'
import { posthorn } from './posthorn-process.ts'

test('a reply is explained with its event, its reason and the rule that decided', async () => {
  const ended = await posthorn(['classify', '550 5.1.1 <ann@example.org>: User unknown'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toContain('email.bounced: invalid_recipient')
  expect(ended.stdout).toContain('Rule: code:5.1.1')
})

test('the decision is explained in a sentence if asked for, and always in JSON', async () => {
  const sentence = 'The reply says “no such user”: the mailbox does not exist.'
  const ended = await posthorn(['classify', '--explain', '550 No such user'])
  expect(ended.stdout).toContain(`Why: ${sentence}`)
  expect((await posthorn(['classify', '550 No such user'])).stdout).not.toContain('Why:')
  const json = await posthorn(['classify', '--json', '550 No such user'])
  expect(JSON.parse(json.stdout)).toMatchObject({ decided_by: sentence })
})

test('replies on lines of standard input become a list', async () => {
  const ended = await posthorn(['classify', '--json'], { stdin: '450 4.2.0 greylisted\n\n552 5.2.2 full\n' })
  expect(JSON.parse(ended.stdout)).toMatchObject([
    { event: null, reason: 'temporary' },
    { event: 'email.failed', reason: 'mailbox_full', data: { failure: { retryable: true } } },
  ])
})

test('the stage given as an option is taken into account', async () => {
  const ended = await posthorn(['classify', '--json', '--stage', 'mail_from', '550 5.1.1 User unknown'])
  expect(JSON.parse(ended.stdout)).toMatchObject({ event: 'email.failed', rule: 'stage:mail_from' })
})

test('a reply that rejects an address other than the recipient is not a bounce', async () => {
  const args = ['classify', '--disposition', 'permanent', '--recipient', 'ann@example.org']
  const ended = await posthorn([...args, '550 5.1.1 <dead@old.example.net> User unknown'])
  expect(ended.stdout).toContain('email.failed: forward_failed')
})

test('every stand-alone example in the help gives an event', async () => {
  const { stdout } = await posthorn(['classify', '--help'])
  const examples = [...stdout.matchAll(/^ *(?:\$ )?(?:npx )?posthorn (classify .*'.*)$/gm)].map(
    ([, line = '']) => line,
  )
  expect(examples.length).toBeGreaterThan(3)
  for (const line of examples) {
    const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word)
    const ended = await posthorn(args)
    expect([line, ended.code, ended.stdout.includes('no event')]).toEqual([line, 0, false])
  }
})

test.each([
  [['--stage', 'lunch', '550 x'], '--stage must be one of'],
  [['--disposition', 'bounced', '550 x'], '--disposition must be one of'],
  [['--status', 'five', '550 x'], '--status must be an enhanced status code'],
  [[], '<reply> is missing'],
])('the error says what is wrong with the arguments %j', async (args, message) => {
  const ended = await posthorn(['classify', ...args], { stdin: '' })
  expect(ended).toMatchObject({ code: 2 })
  expect(ended.stderr).toContain(message)
})
