import type { BounceCategory } from './bounce-category.ts'
import type { Reply } from './read-reply.ts'
import type { Stage } from './stage.ts'

/**
 * What a resolver has proved about the address's domain, in the words of the mail system that asked it. The same
 * words from a *remote* server are no proof: it may speak of the sender's domain, or of its own trouble.
 */
export function dnsFault(reply: Reply, stage: Stage | null): BounceCategory | null {
  if (takesNoMail(reply, stage)) return 'domain_not_accepting_mail'
  const { enhanced } = reply
  const aboutRouting =
    enhanced !== null && (isCode(enhanced, 4, 4) || isCode(enhanced, 4, 310) || isCode(enhanced, 1, 2))
  const isOwnWord = reply.isLocal || stage === 'dns' || aboutRouting
  return isOwnWord && noSuchDomain.test(reply.words) ? 'invalid_domain' : null
}

function takesNoMail({ words, enhanced, code, isLocal }: Reply, stage: Stage | null): boolean {
  if (/\bnull ?-?mx\b/.test(words)) return isLocal || stage === 'dns' || enhanced?.subject === 1
  if (!/\b(?:host|domain)\b[^.;]{0,24}\b(?:does not|doesn't) accept (?:any )?(?:e-?mail|mail)\b/.test(words))
    return false
  if (code === 521 || stage === 'connect') return false
  // Sendmail reports the recipient's null MX under the code for the sender's
  return (
    isLocal || stage === 'dns' || enhanced?.subject === 1 || (enhanced !== null && isCode(enhanced, 7, 27))
  )
}

function isCode(code: { subject: number; detail: number }, subject: number, detail: number): boolean {
  return code.subject === subject && code.detail === detail
}

const noSuchDomain =
  /\bnxdomain\b|\b(?:host|domain)\b(?: or domain name| name)?[^.;]{0,24}\b(?:not found|does(?: not|n't) exist|unknown|invalid)|\bhost not found\b|\b(?:no such|unknown|invalid|non-?exist[ea]nt|illegal) (?:mail )?(?:host|domain)\b|\bname or service not known|\bno data known\b/
