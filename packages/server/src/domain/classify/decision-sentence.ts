import { cutText } from '../cut-text.ts'
import type { Classification } from './classification.ts'

/**
 * Explains in one sentence what decided a classification.
 *
 * @param isInWords the reply was read from the text of a bounce message
 * @example
 * decisionSentence(classification, {}) // 'The reply has the enhanced status code 5.1.1: the mailbox does not exist.'
 */
export function decisionSentence(
  found: Classification,
  { isInWords = false }: { isInWords?: boolean | undefined } = {},
): string {
  const report = isInWords ? 'The text of the bounce message' : 'The reply'
  const meaning = asClause(found.message)
  const quoted = found.matched === undefined ? '' : ` “${cutText(found.matched.trim(), quoteLengthMax)}”`
  const [kind = '', detail = ''] = found.rule.split(':')
  switch (kind) {
    case 'code':
      return found.event === 'email.bounced'
        ? `${report} has the enhanced status code ${detail}: ${meaning}.`
        : `${report} has the enhanced status code ${detail}, which does not show that the address is bad: ${meaning}.`
    case 'reply':
      return found.event === 'email.bounced'
        ? `${report} has the code ${detail}: ${meaning}.`
        : `${report} has the code ${detail}, which does not show that the address is bad: ${meaning}.`
    case 'text':
      return `${report} says${quoted}: ${meaning}.`
    case 'statement':
      return `The text of the bounce message quotes no reply, but says${quoted} about the recipient: ${meaning}.`
    case 'weak_veto':
      return `${report} says that the recipient is unknown, but also says${quoted}, so a rule may have refused the email.`
    case 'veto':
      return vetoSentence(report, quoted, detail, meaning)
    case 'stage':
      return `The refusal came at the step ${detail}, where it cannot be about this recipient alone: ${meaning}.`
    default:
      return sentences.get(kind) ?? found.message
  }
}

const quoteLengthMax = 80

function vetoSentence(report: string, quoted: string, detail: string, meaning: string): string {
  if (detail === 'temporary') {
    return quoted === ''
      ? `${report} contains a code of class 4, so the problem is temporary.`
      : `${report} says${quoted}, so the problem is temporary.`
  }
  if (quoted === '') return `${report} refuses the sender, which says nothing about the recipient.`
  return `${report} says${quoted}, which names another cause than the address: ${meaning}.`
}

/** `The mailbox is full.` → `the mailbox is full` */
function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

/** For rules whose sentence needs no details. */
const sentences = new Map([
  ['suppressed', 'The email was not sent, because the address is suppressed.'],
  ['cancelled', 'The email was cancelled before it was delivered.'],
  ['signing_error', 'The email could not be signed, so it was not sent.'],
  ['complaint', 'The mailbox provider reports that the recipient called the email spam.'],
  ['unsubscribe', 'The mail system reports that the recipient unsubscribed.'],
  ['expired', 'The mail system gave up after temporary problems, which say nothing about the address.'],
  [
    'class_4',
    'The reply has a code of class 4, which stands for a temporary problem and not for a bad address.',
  ],
  [
    'class_2',
    'The report says that the email failed, but its code is one of success, so the cause is unknown.',
  ],
  ['dns', 'The mail system looked up the domain of the address in DNS: it does not exist or takes no mail.'],
  ['dns_failure', 'A DNS lookup failed, but it does not prove that the domain of the address is missing.'],
  ['no_code', 'There is no reply code of class 5 and no proof from DNS, so the address may be good.'],
  ['forwarded', 'The refused address is another one, to which the email was forwarded.'],
  [
    'exchange_online_5.4.1',
    'Exchange Online says “Access denied” in these words if the mailbox does not exist.',
  ],
  [
    'access_denied_5.4.1',
    'Only Exchange Online means with “Access denied” that the mailbox does not exist; this server denies access.',
  ],
  [
    'address_rejected_5.1.0',
    'The code 5.1.0 with no other words than “Address rejected” means that the mailbox does not exist.',
  ],
  [
    'disabled_recipient_5.7.13',
    'The code 5.7.13 or 525 about a recipient means that the mailbox is disabled.',
  ],
  ['tls_policy', 'The code 5.7.5 with words about TLS means that the encrypted connection failed.'],
  [
    'unauthenticated_domain',
    'The code 5.7.509 or 5.7.515 means that the domain of the sender is not authenticated.',
  ],
  [
    'policy_under_5.7.9',
    'Servers use the code 5.7.9 for many kinds of refusals, so it does not show that the address is bad.',
  ],
  ['default', 'Nothing in the report shows that the address is bad.'],
])
