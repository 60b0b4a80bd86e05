import type { BounceCategory } from './bounce-category.ts'
import type { FailureName } from './failure.ts'
import type { Reply } from './read-reply.ts'

/** A code that well-known servers use with another meaning than the registered one. */
type Exception = { readonly rule: string; readonly outweighsVeto?: true } & (
  | { readonly bounce: BounceCategory; readonly failure?: undefined }
  | { readonly failure: FailureName; readonly bounce?: undefined }
)

/** @param remoteMta the name of the server that replied, if the reporter gave it */
export function exceptionFor(reply: Reply, remoteMta: string | undefined): Exception | null {
  if (reply.enhanced === null || reply.enhanced.class !== 5) {
    return reply.enhanced === null && reply.code === 525 ? disabledAccount(reply) : null
  }
  switch (`${reply.enhanced.subject}.${reply.enhanced.detail}`) {
    case '4.1':
      return unknownAtExchangeOnline(reply, remoteMta)
    case '1.0':
      return addressRejected(reply)
    case '7.13':
      return disabledAccount(reply)
    case '7.5':
      return /\b(?:tls|dane|mta-?sts|certificate)\b/.test(reply.words)
        ? { rule: 'tls_policy', failure: 'tls_failed' }
        : null
    case '7.509':
    case '7.515':
      return { rule: 'unauthenticated_domain', failure: 'authentication_failed' }
    case '7.9':
      return reply.words === '' || loginWords.test(reply.words)
        ? null
        : { rule: 'policy_under_5.7.9', failure: 'unspecified_policy' }
    default:
      return null
  }
}

/** 5.7.9 is registered for weak logins but used for many kinds of refusals. */
const loginWords = /\b(?:password|credential|login|log in|authenticat|auth\b|mechanism)/

/** Exchange Online answers `Access denied` for unknown recipients, always in these words. From others they say what they say. */
function unknownAtExchangeOnline(reply: Reply, remoteMta: string | undefined): Exception | null {
  const isPhrase = /\brecipient address(?:es)? rejected ?: ?access denied\b/.test(reply.innerWords)
  const host = remoteMta?.toLowerCase() ?? ''
  const isExchangeOnline =
    /\boutlook\.com\b/.test(`${host} ${reply.wordsWithHosts}`) || (host === '' && isPhrase)
  if (!isPhrase) return null
  return isExchangeOnline
    ? { rule: 'exchange_online_5.4.1', bounce: 'invalid_recipient' }
    : { rule: 'access_denied_5.4.1', failure: 'access_denied' }
}

/** 5.1.0 does not say which address it is about. If the text only rejects the recipient's address, it is that one. */
function addressRejected(reply: Reply): Exception | null {
  return /^(?:@ ?)?[ #:.<>-]*(?:recipient )?address rejected[ .]*$/.test(reply.innerWords)
    ? { rule: 'address_rejected_5.1.0', bounce: 'invalid_recipient' }
    : null
}

/** Registered for the account that logs in, but some servers use it for the recipient's account. */
function disabledAccount(reply: Reply): Exception | null {
  return /\brecipient\b/.test(reply.words)
    ? { rule: 'disabled_recipient_5.7.13', bounce: 'mailbox_disabled' }
    : null
}
