import type { BounceCategory } from './bounce-category.ts'
import { asDnsName, namesInLookup } from './names-in-lookup.ts'
import type { RawOutcome } from './raw-outcome.ts'
import type { Reply } from './read-reply.ts'
import type { Stage } from './stage.ts'

/**
 * What a DNS lookup by the reporting mail system proves. It is a bounce if the recipient's domain does not exist or does not
 * accept mail. It is `dns_failure` if another host (an MX, a relay, a back end) is missing, or if the name is not clear. Null
 * if the reply mentions no lookup, or if its code is more specific.
 *
 * What a receiving host says during SMTP does not count as a lookup, because it may be about the sender's domain or about its
 * own servers.
 */
export function dnsFault(
  reply: Reply,
  stage: Stage | null,
  raw: RawOutcome,
): BounceCategory | 'dns_failure' | null {
  const acceptsNoMail = saysAcceptsNoMail(reply)
  const isMissing = noSuchDomain.test(reply.words)
  if (!acceptsNoMail && !isMissing && !lookupFailed.test(reply.words)) return null
  if (!isOwnLookup(reply, stage, raw)) return isReportersWord(reply, stage) ? 'dns_failure' : null
  const about = namesInLookup(reply, raw)
  if (about === 'other') return 'dns_failure'
  if (acceptsNoMail) return 'domain_not_accepting_mail'
  if (about === 'recipient' && isMissing) return 'invalid_domain'
  return hasCode(reply, '1.2') ? null : 'dns_failure'
}

/** Whether a server says that another host, such as its own back end, is missing in DNS. */
export function isAboutOtherHost(reply: Reply, raw: RawOutcome): boolean {
  if (reply.enhanced?.subject === 7 || ofSendingSide.test(reply.words)) return false
  const isAboutLookup =
    saysAcceptsNoMail(reply) ||
    [noSuchDomain, lookupFailed].some(pattern => pattern.test(reply.words)) ||
    hostAsAddress.test(reply.wordsWithHosts)
  return isAboutLookup && namesInLookup(reply, raw) === 'other'
}

function isOwnLookup(reply: Reply, stage: Stage | null, raw: RawOutcome): boolean {
  if (stage === 'dns') return true
  if (isAnswered(stage) || wordsOfHost.test(reply.text)) return false
  const isAllowed = (codes: readonly string[]): boolean => codes.some(code => hasCode(reply, code))
  if (reply.code === null) return reply.enhanced === null || isAllowed([...generalCodes, ...lookupCodes])
  // the mail system invented this reply code for its own lookup, unless a named server may have sent it
  const isNamed = raw.remoteMta !== undefined && asDnsName(raw.remoteMta) !== raw.recipientDomain
  return !isNamed && (isAllowed(lookupCodes) || isAuthoritative.test(reply.words))
}

/** Without a server and a code, the failed lookup is the reporter's own. */
function isReportersWord({ code, enhanced, text }: Reply, stage: Stage | null): boolean {
  const hasNoServer = stage === null || stage === 'connect'
  return code === null && enhanced === null && hasNoServer && !wordsOfHost.test(text)
}

/** Stages in which a server answers. */
function isAnswered(stage: Stage | null): boolean {
  switch (stage) {
    case 'connect':
    case 'tls':
    case 'ehlo':
    case 'auth':
    case 'mail_from':
    case 'rcpt_to':
    case 'data':
    case 'end_of_data':
      return true
    case null:
    case 'submit':
    case 'signing':
    case 'queue':
    case 'dns':
    case 'dsn':
      return false
  }
}

function saysAcceptsNoMail(reply: Reply): boolean {
  if (nullMx.test(reply.words)) return true
  return reply.code !== 521 && hostTakesNoMail.test(reply.words) && !wordsOfHost.test(reply.text)
}

function hasCode({ enhanced }: Reply, code: string): boolean {
  return enhanced !== null && `${enhanced.subject}.${enhanced.detail}` === code
}

const wordsOfHost = /\bsaid ?:|\bresponded\b.{0,40}?\b[245]\d\d\b|\brefused to talk to me\b/i

/** Unspecific codes. */
const generalCodes = ['0.0', '3.0', '4.0', '4.3']
/** Codes about the lookup of a domain. Sendmail uses 5.7.27 for a null MX. */
const lookupCodes = ['1.0', '1.2', '1.10', '4.4', '4.310', '7.27']

const noSuchDomain =
  /\bnxdomain\b|\benotfound\b|\b(?:host|domain)\b(?: or domain name| name)?[^.;]{0,24}\b(?:not found|does(?: not|n't) exist|unknown|invalid)|\b(?:no such|unknown|invalid|non-?exist[ea]nt|illegal) (?:mail )?(?:host|domain)\b|\bname or service not known|\bno data known\b|\bcould(?: not|n'?t) find (?:any host|a mail exchanger or ip address)\b/

/** A lookup that failed for an unknown reason. */
const lookupFailed =
  /\b(?:unable to|can(?: ?not|'t)|could(?: not|n'?t)|fail\w* to) (?:look ?up|resolve|find|locate) (?:any |the |an? )?(?:hosts?|domain|mx|mail exchanger|ip address|name)\b|\b(?:dns|mx|host|host ?name|domain)(?: name)? (?:look ?up|resolution) (?:error|fail\w*|problem)|\bname service error\b|\bdns error\b/

const isAuthoritative = /\bauthoritative answer\b/
const nullMx = /\bnull ?-?mx\b|\bmx or srv record indicated no smtp service\b/
const hostTakesNoMail =
  /\b(?:host|domain)\b[^.;]{0,24}\b(?:does not|doesn't) accept (?:any )?(?:e-?mail|mail)\b(?! (?:from|for|to|with|without|until|unless)\b)/
const ofSendingSide = /\b(?:your|helo|ehlo|client|sender(?:'?s)?|sending)\b/

/** A host instead of an address, as in `Destination mailstore.internal.example not found`. */
const hostAsAddress =
  /\b(?:destination|address)\b["'<: ]{1,4}(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,18}(?![a-z0-9@-])/
