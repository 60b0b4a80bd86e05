import type { BounceCategory } from './bounce-category.ts'
import { bounced, type Classification, failed } from './classification.ts'
import { dnsFault, speaksOfOtherHost } from './dns-proof.ts'
import { blocklistIn } from './blocklist-in-text.ts'
import { isRegistered, meaningOf } from './enhanced-codes.ts'
import { formatEnhancedCode } from './enhanced-code.ts'
import type { FailureName } from './failure.ts'
import { addressFault } from './positive-phrases.ts'
import type { RawOutcome } from './raw-outcome.ts'
import type { Reply } from './read-reply.ts'
import { otherRefused, refusesSender } from './refused-address.ts'
import { domainTakesNoMail, failureOfReplyCode, failureOfTemporaryReply } from './reply-codes.ts'
import { speaksOfRecipient, type Stage } from './stage.ts'
import { exceptionFor } from './known-exceptions.ts'
import { temporaryPhrase, type Veto, vetoPhrases, weakVetoPhrase } from './veto-phrases.ts'

/**
 * Judges an email that will not be tried again. First whatever speaks against a bounce: giving up on something
 * temporary, a code of class 4, a reply that accepts, words that name another cause, a stage at which nobody has named
 * a recipient. Only then what proves one: the resolver, the code, the text.
 *
 * @param gaveUp the reporter says that it stopped trying
 */
export function classifyRefusal(
  raw: RawOutcome,
  reply: Reply,
  stage: Stage | null,
  gaveUp: boolean,
): Classification {
  const said = [reply, stage] as const
  const timing = raw.timing ?? (stage === 'dsn' ? 'asynchronous' : 'synchronous')
  const bounce = (
    rule: string,
    category: BounceCategory,
    evidence: 'enhanced_status_code' | 'reply_text' | 'dns',
  ) => {
    if (raw.isForwarded === true) return failed('forwarded', 'forward_failed', said)
    const finalRecipient = otherRefused(reply, raw)
    if (finalRecipient !== null) return failed('forwarded', 'forward_failed', said, { finalRecipient })
    if (refusesSender(reply, raw)) return failed('veto:sender_rejected', 'sender_rejected', said)
    return bounced(rule, category, evidence, timing, said)
  }

  const inText = addressFault(reply.innerWords.replace(beforeProbeResult, ' '))
  const veto = findVeto(reply, inText)
  const blocklist = veto?.failure === 'ip_blocked' ? blocklistIn(reply.wordsWithHosts) : null
  if (gaveUp || isExpired(reply) || veto?.failure === 'delivery_expired') {
    return failed('expired', veto?.failure ?? whenGivenUp(reply), said, { expired: true, blocklist })
  }
  if (reply.hasClassFour) {
    return failed('class_4', veto?.failure ?? whenGivenUp(reply), said, { expired: true, blocklist })
  }
  if (reply.drivingClass === 2) return failed('class_2', failureByCode(reply, stage).name, said)

  const exception = exceptionFor(reply, raw.remoteMta)
  if (veto !== null && exception?.outweighsVeto !== true) {
    return failed(`veto:${veto.failure}`, veto.failure, said, { blocklist })
  }
  if (reply.mentionsClassFour || temporaryPhrase.test(reply.words)) {
    return failed('veto:temporary', failureByCode(reply, stage).name, said, { retryable: true })
  }

  const inDns = dnsFault(reply, stage, raw)
  if (inDns === 'dns_failure') return failed('dns_failure', inDns, said)
  if (inDns !== null) return bounce('dns', inDns, 'dns')
  if (!speaksOfRecipient(stage, raw.recipientsInTransaction ?? 1)) {
    return failed(`stage:${stage}`, failureByCode(reply, stage).name, said)
  }
  // neither a code of class 5 nor proof from DNS: somebody's word, but no confirmation
  if (reply.code === null && reply.enhanced === null)
    return failed('no_code', 'unspecified_infrastructure', said)
  if (exception !== null) {
    return exception.bounce === undefined
      ? failed(exception.rule, exception.failure, said)
      : bounce(exception.rule, exception.bounce, 'reply_text')
  }

  const byCode = bounceByCode(reply)
  if ((byCode === null || inText === null) && speaksOfOtherHost(reply, raw)) {
    return failed('dns_failure', 'dns_failure', said)
  }
  if (byCode !== null && !reply.isEnhancedDerived) {
    return bounce(`code:${byCode.code}`, refined(byCode.category, inText), 'enhanced_status_code')
  }
  if (reply.code === domainTakesNoMail) return bounce('reply:556', 'domain_not_accepting_mail', 'dns')
  const weak = weakVetoPhrase.test(reply.innerWords)
  if (inText !== null && !weak && (byCode !== null || textDecides(reply))) {
    return bounce(`text:${inText}`, inText, 'reply_text')
  }
  const { name, rule } = failureByCode(reply, stage)
  return failed(inText !== null && weak ? 'weak_veto' : rule, name, said)
}

/** Postfix has asked another server about the address. What follows is the answer, or why there was none. */
const beforeProbeResult = /\brecipient address rejected: undeliverable address: /

function findVeto(reply: Reply, inText: BounceCategory | null): Veto | null {
  const isProved = inText !== null && bounceByCode(reply) !== null
  const found = vetoPhrases.find(({ pattern, inHosts, weighsLess }) =>
    weighsLess === true && isProved
      ? false
      : pattern.test(inHosts === true ? reply.wordsWithHosts : reply.words),
  )
  return found ?? null
}

/** X.4.7, in whatever class: the mail system writes it when it stops trying. */
function isExpired({ enhanced }: Reply): boolean {
  return enhanced !== null && enhanced.subject === 4 && enhanced.detail === 7
}

function whenGivenUp({ enhanced, code }: Reply): FailureName {
  const meaning = enhanced === null ? null : meaningOf(enhanced)
  return meaning?.gaveUp ?? failureOfTemporaryReply(code)
}

function bounceByCode({ enhanced }: Reply): { category: BounceCategory; code: string } | null {
  if (enhanced === null || enhanced.class !== 5) return null
  const permanent = meaningOf(enhanced)?.permanent
  if (permanent === undefined || !('bounce' in permanent)) return null
  return { category: permanent.bounce, code: `5.${enhanced.subject}.${enhanced.detail}` }
}

/** A disabled mailbox or a refusing domain may turn out, in the server's own words, not to exist. */
function refined(category: BounceCategory, inText: BounceCategory | null): BounceCategory {
  const isLoose = category === 'mailbox_disabled' || category === 'domain_not_accepting_mail'
  return isLoose && inText === 'invalid_recipient' ? inText : category
}

/** Without a code, with one that says nothing, and with one that nobody has registered. */
function textDecides({ enhanced }: Reply): boolean {
  if (enhanced === null) return true
  const permanent = meaningOf(enhanced)?.permanent
  if (permanent === undefined || !isRegistered(enhanced)) return enhanced.subject !== 7
  return 'textDecides' in permanent
}

/** What the codes make of it when nothing proves a bounce, and which of them decided. */
function failureByCode(reply: Reply, stage: Stage | null): { name: FailureName; rule: string } {
  const { enhanced, code } = reply
  // x.0.0 says less than the reply code beside it
  if (enhanced !== null && !(enhanced.subject === 0 && code !== null)) {
    const permanent = meaningOf(enhanced)?.permanent
    const rule = `code:${formatEnhancedCode(enhanced)}`
    if (permanent !== undefined && 'failure' in permanent) return { name: permanent.failure, rule }
    if (permanent !== undefined && 'textDecides' in permanent) return { name: permanent.otherwise, rule }
  }
  if (code !== null) return { name: failureOfReplyCode(code, stage), rule: `reply:${code}` }
  return { name: 'unspecified_infrastructure', rule: 'default' }
}
