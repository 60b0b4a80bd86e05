import { readFileSync } from 'node:fs'
import type { Classification } from '../domain/classify/classification.ts'
import { classify as classifyOutcome } from '../domain/classify/classify.ts'
import { dispositions } from '../domain/classify/raw-outcome.ts'
import { stages } from '../domain/classify/stage.ts'
import { domainOf } from '../domain/email-address.ts'
import type { Command, Report } from './command.ts'
import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'

export const classify: Command = {
  name: 'classify',
  summary: "Show what a mail server's reply means and which rule decided",
  about: [
    'Reads SMTP replies, one per argument or one per line of standard input, and prints the event that each becomes:',
    '  email.bounced  a 5xx reply proves that the address is permanently bad: by its enhanced code (5.1.1), its text',
    '                 ("User unknown"), or the resolver',
    '  email.failed   any other final failure; text that names another cause (quota, spam, a blocklist, the sender)',
    '                 overrides every code',
    '  no event       a 4xx reply: the mail system is still trying',
    'Works without the service. docs/classification.md lists the rules.',
  ].join('\n'),
  rest: { name: 'reply', meaning: 'The whole reply, with its codes. Without it, reads standard input.' },
  options: {
    disposition: { value: 'word', meaning: `What the mail system did: ${dispositions.join(', ')}.` },
    stage: { value: 'word', meaning: `Where it happened: ${stages.join(', ')}.` },
    status: { value: 'd.d.d', meaning: 'The Status field, if the reply comes from a bounce message.' },
    recipient: {
      value: 'address',
      meaning:
        'The recipient. Without it, words about DNS prove nothing, and nobody sees that another address was refused.',
    },
    host: { value: 'name', meaning: 'The server that replied.' },
    explain: { meaning: 'Says in a sentence what decided.' },
  },
  examples: [
    "posthorn classify '550 5.1.1 <ann@example.org>: User unknown'",
    "posthorn classify --explain '550 5.7.1 Mailbox full'",
    "posthorn classify --disposition permanent --recipient ann@example.org 'Name service error for name=example.org: Host not found'",
    "posthorn classify --stage mail_from '550 User unknown' --json",
    "posthorn classify --disposition permanent --status 5.0.0 'smtp; 550 Unknown user'",
    'posthorn classify < replies.txt',
  ],
  async run(input): Promise<Report> {
    const disposition = oneOf(input, 'disposition', dispositions)
    const stage = oneOf(input, 'stage', stages)
    const reportedStatus = input.text('status')
    if (reportedStatus !== undefined && !/^[245]\.\d{1,3}\.\d{1,3}$/.test(reportedStatus)) {
      throw new UsageError(`--status must be an enhanced status code such as 5.1.1, not "${reportedStatus}"`)
    }
    const recipient = input.text('recipient')
    if (recipient !== undefined && !recipient.includes('@')) {
      throw new UsageError(`--recipient must be an email address, not "${recipient}"`)
    }
    const replies = input.rest.length > 0 ? input.rest : linesOfStandardInput()
    if (replies.length === 0) throw new UsageError('<reply> is missing')
    const found = replies.map(text => {
      const { decidedBy, ...classification } = classifyOutcome({
        disposition,
        stage,
        remoteMta: input.text('host'),
        recipient,
        recipientDomain: recipient === undefined ? undefined : domainOf(recipient),
        reply: { text, reportedStatus },
      })
      return { reply: text, ...classification, decided_by: decidedBy }
    })
    return await Promise.resolve({
      exitCode: 0,
      json: found.length === 1 ? found[0] : found,
      text: found
        .map(one => described(one, one.reply, input.flag('explain') ? one.decided_by : null))
        .join('\n\n'),
    })
  },
}

function described(found: Classification, reply: string, decidedBy: string | null): string {
  const lines = [oneLine(reply), `  ${found.event ?? 'no event'}: ${found.reason}`]
  if (found.event === 'email.failed') {
    const { category, retryable, expired } = found.data.failure
    const more = [category, retryable ? 'may succeed later' : '', expired ? 'given up' : '']
    lines.push(`  Failure: ${more.filter(word => word !== '').join(', ')}`)
  }
  if (decidedBy !== null) lines.push(`  Why: ${decidedBy}`)
  return [...lines, `  ${found.message}`, `  Rule: ${found.rule}`].join('\n')
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

function linesOfStandardInput(): string[] {
  const text = readFileSync(0, 'utf8')
  return text.split(/\r?\n/).filter(line => line.trim() !== '')
}

function oneOf<Word extends string>(
  input: CommandInput,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const given = input.text(name)
  const found = words.find(word => word === given)
  if (given === undefined || found !== undefined) return found
  throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${given}"`)
}
