import type { BounceCategory } from './bounce-category.ts'
import { bounced, type Classification, failed } from './classification.ts'
import { dnsFault, isAboutOtherHost } from './dns-proof.ts'
import { blocklistIn } from './blocklist-in-text.ts'
import { isRegistered, meaningOf } from './enhanced-codes.ts'
import { formatEnhancedCode } from './enhanced-code.ts'
import type { FailureName } from './failure.ts'
import { plainWords } from './plain-words.ts'
import { addressPhrase } from './positive-phrases.ts'
import type { RawOutcome } from './raw-outcome.ts'
import type { Reply } from './read-reply.ts'
import { otherRefused, refusesSender } from './refused-address.ts'
import { domainAcceptsNoMail, failureOfReplyCode, failureOfTemporaryReply } from './reply-codes.ts'
import { isAboutRecipient, type Stage } from './stage.ts'
import { exceptionFor } from './known-exceptions.ts'
import { temporaryPhrase, type Veto, vetoPhrases, weakVetoPhrase } from './veto-phrases.ts'

/**
 * Classifies an email that will not be tried again. It first checks the reasons against a bounce: the reporter gave up, a code
 * of class 4 or 2, words that name another cause, or a stage before RCPT TO. Then it looks for proof of a bounce: DNS, the
 * code, the text.
 *
 * @param gaveUp the reporter stopped trying
 */
export function classifyRefusal(
  raw: RawOutcome,
  reply: Reply,
  stage: Stage | null,
  gaveUp: boolean,
): Classification {
  const context = [reply, stage] as const
  const timing = raw.timing ?? (stage === 'dsn' ? 'asynchronous' : 'synchronous')
  const bounce = (
    rule: string,
    category: BounceCategory,
    evidence: 'enhanced_status_code' | 'reply_text' | 'dns',
    matched?: string,
  ) => {
    if (raw.isForwarded === true) return failed('forwarded', 'forward_failed', context)
    const finalRecipient = otherRefused(reply, raw)
    if (finalRecipient !== null) return failed('forwarded', 'forward_failed', context, { finalRecipient })
    if (refusesSender(reply, raw)) return failed('veto:sender_rejected', 'sender_rejected', context)
    return quoting(bounced(rule, category, evidence, timing, context), matched)
  }

  const phrase = addressPhrase(reply.innerWords.replace(beforeProbeResult, ' '))
  const inText = phrase?.category ?? null
  const { veto, matched: vetoWords } = findVeto(reply, inText)
  const blocklist = veto?.failure === 'ip_blocked' ? blocklistIn(reply.wordsWithHosts) : null
  if (gaveUp || isExpired(reply) || veto?.failure === 'delivery_expired') {
    return failed('expired', veto?.failure ?? whenGivenUp(reply), context, { expired: true, blocklist })
  }
  if (reply.hasClassFour) {
    return failed('class_4', veto?.failure ?? whenGivenUp(reply), context, { expired: true, blocklist })
  }
  if (reply.drivingClass === 2) return failed('class_2', failureByCode(reply, stage).name, context)

  const exception = exceptionFor(reply, raw.remoteMta)
  if (veto !== null && exception?.outweighsVeto !== true) {
    return quoting(failed(`veto:${veto.failure}`, veto.failure, context, { blocklist }), vetoWords)
  }
  const temporary = temporaryPhrase.exec(reply.words)
  if (reply.mentionsClassFour || temporary !== null) {
    const name = failureByCode(reply, stage).name
    return quoting(failed('veto:temporary', name, context, { retryable: true }), temporary?.[0])
  }

  const inDns = dnsFault(reply, stage, raw)
  if (inDns === 'dns_failure') return failed('dns_failure', inDns, context)
  if (inDns !== null) return bounce('dns', inDns, 'dns')
  if (!isAboutRecipient(stage, raw.recipientsInTransaction ?? 1)) {
    return failed(`stage:${stage}`, failureByCode(reply, stage).name, context)
  }
  // without a code or proof from DNS, the report does not confirm a bounce
  if (reply.code === null && reply.enhanced === null) {
    const stated = statedFault(raw, reply)
    if (stated !== null)
      return bounce(`statement:${stated.category}`, stated.category, 'reply_text', stated.matched)
    return failed('no_code', 'unspecified_infrastructure', context)
  }
  if (exception !== null) {
    return exception.bounce === undefined
      ? failed(exception.rule, exception.failure, context)
      : bounce(exception.rule, exception.bounce, 'reply_text')
  }

  const byCode = bounceByCode(reply)
  if ((byCode === null || inText === null) && isAboutOtherHost(reply, raw)) {
    return failed('dns_failure', 'dns_failure', context)
  }
  if (byCode !== null && !reply.isEnhancedDerived) {
    return bounce(`code:${byCode.code}`, refined(byCode.category, inText), 'enhanced_status_code')
  }
  if (reply.code === domainAcceptsNoMail) return bounce('reply:556', 'domain_not_accepting_mail', 'dns')
  const weak = weakVetoPhrase.exec(reply.innerWords)
  if (phrase !== null && weak === null && (byCode !== null || textDecides(reply))) {
    return bounce(`text:${phrase.category}`, phrase.category, 'reply_text', phrase.matched)
  }
  const { name, rule } = failureByCode(reply, stage)
  if (phrase === null || weak === null) return failed(rule, name, context)
  return quoting(failed('weak_veto', name, context), weak[0])
}

/** Adds the words that decided. */
function quoting(found: Classification, matched: string | undefined): Classification {
  return matched === undefined ? found : { ...found, matched }
}

/** What a mail system says about the recipient in its own words, unless other words cast doubt on it. */
function statedFault({ statement }: RawOutcome, reply: Reply): ReturnType<typeof addressPhrase> {
  if (statement === undefined || weakVetoPhrase.test(reply.words)) return null
  return addressPhrase(plainWords(statement))
}

/** Postfix has asked another server about the address. What follows is the answer, or why there was none. */
const beforeProbeResult = /\brecipient address rejected: undeliverable address: /

function findVeto(reply: Reply, inText: BounceCategory | null): { veto: Veto | null; matched?: string } {
  const isProved = inText !== null && bounceByCode(reply) !== null
  for (const veto of vetoPhrases) {
    if (veto.weighsLess === true && isProved) continue
    const found = veto.pattern.exec(veto.inHosts === true ? reply.wordsWithHosts : reply.words)
    if (found !== null) return { veto, matched: found[0] }
  }
  return { veto: null }
}

/** Mail systems use X.4.7 in any class when they stop trying. */
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

/** The text may say that a disabled mailbox or a refusing domain does not exist. */
function refined(category: BounceCategory, inText: BounceCategory | null): BounceCategory {
  const isLoose = category === 'mailbox_disabled' || category === 'domain_not_accepting_mail'
  return isLoose && inText === 'invalid_recipient' ? inText : category
}

/** The text decides without a code, with an unspecific code, and with an unregistered code. */
function textDecides({ enhanced }: Reply): boolean {
  if (enhanced === null) return true
  const permanent = meaningOf(enhanced)?.permanent
  if (permanent === undefined || !isRegistered(enhanced)) return enhanced.subject !== 7
  return 'textDecides' in permanent
}

/** The failure that the codes mean if nothing proves a bounce, and the code that decided. */
function failureByCode(reply: Reply, stage: Stage | null): { name: FailureName; rule: string } {
  const { enhanced, code } = reply
  // x.0.0 is less specific than the reply code
  if (enhanced !== null && !(enhanced.subject === 0 && code !== null)) {
    const permanent = meaningOf(enhanced)?.permanent
    const rule = `code:${formatEnhancedCode(enhanced)}`
    if (permanent !== undefined && 'failure' in permanent) return { name: permanent.failure, rule }
    if (permanent !== undefined && 'textDecides' in permanent) return { name: permanent.otherwise, rule }
  }
  if (code !== null) return { name: failureOfReplyCode(code, stage), rule: `reply:${code}` }
  return { name: 'unspecified_infrastructure', rule: 'default' }
}
