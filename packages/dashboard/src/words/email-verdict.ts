import type { Email, EmailRecipient, EmailState } from '@posthorn/contract'
import { countOf } from '../format/numbers.ts'
import type { Sentence } from './sentence.ts'

export interface EmailVerdict {
  readonly tone: 'delivered' | 'failed' | 'pending' | 'exhausted' | 'neutral'
  readonly headline: string
  readonly facts: readonly Sentence[]
}

/** The result of an email in a sentence; several recipients have one each. */
export function emailVerdict({ recipients = [], erased_at: erasedAt }: Email): EmailVerdict {
  const erased: Sentence[] = erasedAt === null ? [] : [['A recipient was erased ', { at: erasedAt }, '.']]
  const [only, ...others] = recipients
  if (only === undefined) return { tone: 'neutral', headline: 'It has no recipient.', facts: erased }
  const { headline, facts } = others.length === 0 ? ofOne(only) : ofSeveral(recipients)
  const isEnd = recipients.some(isAllThatIsKnown)
  const end: Sentence[] = isEnd ? [[noSourceWords]] : []
  return { tone: toneOf(recipients), headline, facts: [...facts, ...end, ...erased] }
}

/** The state of one recipient in a sentence, and what follows. */
export function ofOne(recipient: EmailRecipient): Pick<EmailVerdict, 'headline' | 'facts'> {
  const { state, outcome_expected: isExpected, updated_at: at, tries, next_try_at: next } = recipient
  switch (state) {
    case 'queued': {
      const tried: Sentence[] =
        (tries ?? 0) === 0 ? [] : [[`We tried ${countOf(tries ?? 0, 'time', 'times')}.`]]
      const again: Sentence[] = next === null ? [] : [['Next attempt ', { at: next, relative: true }, '.']]
      return { headline: 'Our mail server has not accepted it yet.', facts: [...tried, ...again] }
    }
    case 'handed_over':
      return isExpected
        ? {
            headline: 'Our mail server accepted it and tries to deliver it.',
            facts: [['Since ', { at, relative: true }, '.']],
          }
        : { headline: handedOverHeadline, facts: [['Since ', { at }, '.']] }
    case 'delivered':
      return {
        headline: 'The recipient’s mail server accepted it.',
        facts: [
          ['At ', { at }, '. Mail servers do not report whether it is in the inbox or in the spam folder.'],
        ],
      }
    case 'bounced':
      return { headline: 'The address permanently refuses mail.', facts: [['Since ', { at }, '.']] }
    case 'failed':
      return { headline: 'It was not delivered, and we do not try again.', facts: [['Since ', { at }, '.']] }
  }
}

const handedOverHeadline = 'Our mail server accepted it. That is all we will know, unless it fails.'
/** Why nothing is known after the hand-over. */
const noSourceWords =
  'This service gets no delivery reports: neither a Postfix log nor KumoMTA’s webhook is connected. It learns of a failure only from a bounce report.'

function isAllThatIsKnown({ state, outcome_expected: isExpected }: EmailRecipient): boolean {
  return state === 'handed_over' && !isExpected
}

function ofSeveral(recipients: readonly EmailRecipient[]): Pick<EmailVerdict, 'headline' | 'facts'> {
  const all = recipients.length
  const delivered = countIn(recipients, 'delivered')
  const unknown = recipients.filter(isAllThatIsKnown).length
  const tried = countIn(recipients, 'handed_over') - unknown
  const facts = [
    said(countIn(recipients, 'bounced'), 'bounced', 'bounced'),
    said(countIn(recipients, 'failed'), 'failed', 'failed'),
    said(countIn(recipients, 'queued'), 'waits for our mail server', 'wait for our mail server'),
    said(tried, 'is with our mail server', 'are with our mail server'),
    said(unknown, 'was handed over', 'were handed over'),
  ].flat()
  const end: Sentence[] = unknown === 0 ? [] : [['A hand-over is all we will know, unless it fails.']]
  return { headline: headlineOf(delivered, all, unknown), facts: [...facts, ...end] }
}

function headlineOf(delivered: number, all: number, unknown: number): string {
  if (delivered === all)
    return all === 2 ? 'Delivered to both recipients.' : `Delivered to all ${all} recipients.`
  if (unknown === all) return `Handed over for all ${all} recipients.`
  if (delivered === 0) return `Delivered to none of ${all} recipients so far.`
  return `Delivered to ${delivered} of ${all} recipients.`
}

function said(count: number, one: string, many: string): Sentence[] {
  return count === 0 ? [] : [[`${countOf(count, one, many)}.`]]
}

function toneOf(recipients: readonly EmailRecipient[]): EmailVerdict['tone'] {
  if (recipients.some(({ state }) => state === 'bounced' || state === 'failed')) return 'exhausted'
  if (recipients.some(({ state, tries }) => state === 'queued' && (tries ?? 0) > 0)) return 'failed'
  if (recipients.some(({ state }) => state === 'queued')) return 'pending'
  if (recipients.every(({ state }) => state === 'delivered')) return 'delivered'
  return recipients.some(one => one.state === 'handed_over' && one.outcome_expected) ? 'pending' : 'neutral'
}

function countIn(recipients: readonly EmailRecipient[], state: EmailState): number {
  return recipients.filter(recipient => recipient.state === state).length
}
