import { plainWords } from '../classify/plain-words.ts'
import { type Stage, stageInText } from '../classify/stage.ts'
import { stageOfCommand } from '../classify/stage-of-command.ts'
import { isSameRecipient } from '../same-recipient.ts'
import { foldedText, isAnswer, isOtherNotice, speaksOfDelay, speaksOfNonDelivery } from './bounce-words.ts'
import { findReply } from './find-reply.ts'
import { ownLines } from './own-text.ts'
import { addressesIn, findRecipient, forwardTarget } from './recipient-in-text.ts'

/** A mail without machine-readable fields that came back to a return path. */
export interface BounceMail {
  readonly subject: string
  /** The `From` field. */
  readonly from: string
  /** The readable text. */
  readonly text: string
}

/** What the text of a mail says about the recipient of its return path. */
export type BounceText =
  /** It is not about a delivery, or it is an answer, a receipt or a challenge. */
  | { readonly kind: 'other' }
  /** The mail server still tries. */
  | { readonly kind: 'delayed' }
  | {
      readonly kind: 'refused'
      /** The quoted reply, or the lines about the recipient. */
      readonly text: string
      readonly stage: Stage | null
      /** What the mail system itself says about the recipient, if it quotes no reply. */
      readonly statement: string | null
      /** The mail was forwarded; null if it was not. */
      readonly forwarded: { readonly to: string | null } | null
    }

const beginningLength = 3_000
const aboutLinesMax = 14
const statementLinesMax = 8

/**
 * Reads a text-only bounce. It uses the first reply at or after the recipient's address, or else the lines from the address
 * on. Text before the address may be about anything, and the returned mail after it is cut off.
 */
export function readBounceText(mail: BounceMail, recipient: string): BounceText {
  const lines = ownLines(mail.text)
  const whole = foldedText(lines.join('\n'))
  const subject = foldedText(mail.subject)
  const beginning = whole.slice(0, beginningLength)
  const spoken = [subject, foldedText(mail.from), beginning]
  if (!spoken.some(text => speaksOfNonDelivery.test(text))) return { kind: 'other' }
  if (isOtherNotice.test(subject) || isAnswer.test(subject) || isAnswer.test(beginning))
    return { kind: 'other' }
  // a program that answers for the recipient uses the recipient's address
  if (addressesIn(mail.from).some(one => isSameRecipient(one, recipient))) return { kind: 'other' }
  if (speaksOfDelay.test(subject)) return { kind: 'delayed' }
  return readAbout(mail, lines, recipient)
}

function readAbout(mail: BounceMail, lines: readonly string[], recipient: string): BounceText {
  const at = findRecipient(lines, recipient)
  const start = at ?? 0
  const about = lines.slice(start)
  const reply = findReply(about)
  // a receiving server may speak of a delay in a reply that ended the delivery
  const around = reply === null ? lines : [...lines.slice(0, start + reply.line), ...about.slice(reply.end)]
  if (speaksOfDelay.test(foldedText(around.join('\n')))) return { kind: 'delayed' }
  const near = about.slice(0, reply === null ? aboutLinesMax : reply.line + 1)
  const forwarded = forwardTarget(lines, at, near, recipient, addressesIn(mail.from))
  const refused = { kind: 'refused', forwarded } as const
  if (reply !== null) {
    const { text, lead } = reply
    const stage = stageInText(`${lead} ${text}`.replace(/\s+/g, ' '))
    const command = commandBefore(lines.slice(0, start + reply.line))
    return { ...refused, text, stage: stage ?? command, statement: null }
  }
  const said = at === null ? near : [...reasonBefore(lines, at), ...near]
  const statement = at === null ? null : statementIn(said)
  return { ...refused, text: said.join('\n').trim(), stage: null, statement }
}

/** The command that a reply in a transcript answers. */
function commandBefore(lines: readonly string[]): Stage | null {
  const sent = lines.slice(-commandLinesMax).findLast(line => /^\s*>>> /.test(line))
  return sent === undefined ? null : (stageOfCommand(sent.replace(/^\s*>>> /, '')) ?? null)
}

const commandLinesMax = 8

/** Notes puts the reason between its own heading and the recipient. */
function reasonBefore(lines: readonly string[], at: number): readonly string[] {
  const heading = lines
    .slice(Math.max(0, at - 4), at)
    .findLastIndex(line => /^\W{3,}failure reasons?\W{3,}$/i.test(line))
  return heading < 0 ? [] : lines.slice(Math.max(0, at - 4) + heading + 1, at)
}

/** The definite sentences about the recipient: advice and guesses prove nothing. */
function statementIn(lines: readonly string[]): string | null {
  const about = lines
    .slice(0, statementLinesMax)
    .map((line, index) => (index > 0 && headerLine.test(line) ? '' : line))
    .join('\n')
  if (doubtful.test(plainWords(about))) return null
  const sentences = about.split(/(?<=[.;!?。])\s+|\n\s*\n/)
  const definite = sentences.filter(sentence => !hedged.test(plainWords(sentence)))
  const text = definite.join('\n').trim()
  return text === '' ? null : text
}

/** A line about the returned mail. */
const headerLine =
  /^[ \t>]*(?:to|cc|from|subject|sent|date|message-id|betreff|an|objet|asunto|assunto|oggetto) ?:/i

/** Words about the reader's own account, a mailing list, or a mailbox that may come back. */
const doubtful =
  /\byour (?:(?:user|mail ?box|e-?mail|mail) )?(?:account|user|mail ?box|e-?mail address)\b|\b(?:mailing )?list\b|\bmembers?\b|\breactivat|\bfolder\b|\bsuspended\b/

const hedged =
  /\?|\b(?:may|might|maybe|perhaps|possib\w+|probabl\w+|likely|if|whether|usually|typically|often|sometimes|could (?:be|have)|can be|please|check|make sure|either|unless|reasons?|vielleicht|moglicherweise|eventuell|falls|bitte|peut-etre|veuillez|quizas?|tal vez|por favor|talvez|forse|wellicht|indien)\b|возможно|если|可能|もし|場合|恐れ|かもしれ/
