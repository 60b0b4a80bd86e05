import type { BounceCategory } from './bounce-category.ts'
import { otherLanguages } from './other-languages.ts'

/**
 * What is wrong with the address according to a reply, or null.
 *
 * @param words the result of `plainWords`, where `@` replaces an address
 */
export function addressFault(words: string): BounceCategory | null {
  return addressPhrase(words)?.category ?? null
}

/** The words that say what is wrong with the address, and what it is. */
export function addressPhrase(words: string): { category: BounceCategory; matched: string } | null {
  if (isBareMailboxUnavailable(words)) return { category: 'invalid_recipient', matched: words }
  for (const [pattern, category] of positivePhrases) {
    const found = pattern.exec(words)
    if (found !== null) return { category, matched: found[0] }
  }
  return null
}

/** The words for a recipient, but not for a sender, a machine, a web page or the reader's own account. */
const recipientWord =
  '(?<!\\b(?:sender|sending|from|return|ip|your|web|helo|client|envelope|reply-to|mac) (?:e-?mail )?)' +
  '\\b(?:users?|user ?(?:names?|ids?)|recipients?|mail ?box(?:es)?|accounts?|address(?:es|ees?)?|customers?|subscribers?|person|login|alias(?:es)?|in-?box|members?|local[ -]part|rcpt|destination)\\b'

/** The words allowed between the recipient and the verdict. None of them may be another subject of the verdict. */
const between = '(?:(?!\\b(?:domain|host|server|relay|sender|message|but|dns|mx)\\b)[^.;?!]){0,64}?'

const isUnknown =
  "\\b(?:unknown|undefined|not (?:be )?found|couldn't be found|(?:does|do|did)(?: not|n't|nt) (?:actually |seem to |currently |appear to )?exists?|not exist(?:s|ing)?|no longer (?:valid|exists?|in use|available|active|used|works? here|here)|invalid|not (?:a )?(?:valid|known|recogni[sz]ed|registered)|isn't (?:valid|known)|unallocated|non-?exist[ea]nt|unrecogni[sz]ed|not (?:here|listed|on file|in use|assigned|present)|isn't (?:in use|listed|assigned)|never existed|ceased to exist|undeliverable|not local)\\b"

const unknownRecipient =
  '\\b(?:unknown|invalid|no such|non-?exist[ea]nt|unrecogni[sz]ed|unregistered|undeliverable|unknown or illegal|inexistent) (?:local |e-?mail |mail |virtual |destination |final delivery |rcpt )?(?:users?|user ?(?:names?|ids?)|recipients?|mail ?box|accounts?|address(?:ees?)?(?! (?:in|of) (?:the )?(?:from|header|sender))|customers?|person|subscriber|local[ -]part|alias|rcpt)\\b(?! domain)'

const disabled =
  '\\b(?:disabled|deactivated|de-activated|inactive|terminated|closed|frozen|discontinued|deleted|been removed|dormant|not active|no longer active|no longer monitored|no longer (?:accept|receiv)(?:s|ing)? (?:any )?(?:e-?mail|mail|messages?))\\b'

const permanentlyDisabled = `(?<!(?:temporar\\w*|currently|not|while|until) (?:\\w+ )?)${disabled}`

const positivePhrases: ReadonlyArray<readonly [RegExp, BounceCategory]> = [
  phrase(
    'recipient_moved',
    `(?:${recipientWord}|@)${between}\\b(?:no longer on (?:this |the |our )?server|ha(?:s|ve) (?:been )?moved|been replaced|has changed (?:e-?mail )?address)\\b`,
  ),
  phrase('mailbox_disabled', `(?:${recipientWord}|@|\\be-?mail\\b)${between}${permanentlyDisabled}`),
  phrase(
    'mailbox_disabled',
    '\\b(?:disabled|deactivated|inactive|closed|deleted|removed|terminated) (?:e-?mail |mail )?(?:recipient|mail ?box|account|user|address)\\b|\\bdue to inactivity\\b',
  ),
  phrase('invalid_recipient', `${recipientWord}${between}${isUnknown}`),
  phrase('invalid_recipient', unknownRecipient),
  phrase(
    'invalid_recipient',
    `@[>"']{0,2}[ .:,-]{0,6}(?:(?:is|was|has been|could|e-?mail|mail ?box|address) ){0,3}${isUnknown.replace('|invalid|', '|')}`,
    '@[>"\']{0,2}[ .:,-]{0,6}(?:is |was )?invalid(?= (?:recipient|address|user|mail ?box)|[ .!]*$)',
  ),
  phrase(
    'invalid_recipient',
    '\\bno (?:such )?(?:mail ?box|account|user|person|one|recipient|address|customer)s? (?:is |was |are )?(?:here|by that name|with that|named|matching|found|exists?|for|at this|under|known|on this|called)\\b',
    '\\bno such (?:user|person|recipient|mail ?box|account|address|customer|name|member|login|local)\\b',
    '\\bnot (?:our|one of our|a|an) (?:known |local |valid |active |existing )?(?:customer|user|subscriber|recipient|mail ?box|account|member)\\b',
    "\\b(?:does not|doesn't|did not|didn't) match (?:an?|any) (?:known |existing |valid )?(?:user|recipient|mail ?box|account|address)\\b",
    '\\bnobody (?:here )?(?:by|with|of) (?:this|that) name\\b|\\bno longer (?:employed|with (?:the|our|this) (?:company|organi[sz]ation))\\b',
    '\\bno mail ?box (?:is )?available (?:for|under|with|at)\\b',
    '@[>"\']{0,2} {0,2}(?:is )?not an? (?:active|existing) (?:e-?mail )?address\\b',
    '\\bbad[ _](?:recipient|rcpt|mail ?box)\\b(?! (?:domain|policy|syntax))',
    "\\b(?:does not|doesn't|do not|don't) have (?:a|an|any|such|this)\\b[^.;]{0,48}\\b(?:account|mail ?box|user|recipient|address)\\b",
    "\\b(?:can ?not|can't|could ?n[o']t|could not|unable to|failed to|cannot) (?:find|locate|identify|resolve) (?:the |this |that |your |a |any )?(?:[\\w-]+ ){0,2}(?:user|recipient|mail ?box|account|address)\\b",
    '\\brecip(?:ient)?s? ?not ?found|\\badr recip',
    '\\bnot (?:in|on) (?:the |our )?(?:recipient|user) (?:list|table|map)|\\bnot (?:listed )?in (?:the )?(?:public name|domino directory|directory|address book)',
    '\\bunrout(?:e)?able address\\b|\\bundeliverable address\\b',
    '\\baddress(?:es)? (?:is |are |was )?(?:not (?:deliverable|exist)|undeliverable)\\b',
  ),
  phrase(
    'invalid_address',
    '\\b(?:recipient|rcpt|destination|mailbox)\\b.{0,40}\\b(?:syntax (?:error|is)|malformed|bad syntax|invalid syntax)',
    '\\b(?:malformed|syntax error in|badly formed) (?:the )?(?:recipient|destination|mailbox|rcpt)\\b',
  ),
  ...otherLanguages,
]

/**
 * Exchange and other servers say only this about an unknown mailbox. If more words follow (`due to policy`), the mailbox may
 * exist.
 */
function isBareMailboxUnavailable(words: string): boolean {
  const bare = words.replace(/[[(][^\])]{0,120}[\])]/g, ' ').replace(/\s+/g, ' ')
  return /^(?:@ ?)?[ :.-]*(?:requested (?:mail )?action (?:was )?(?:not taken|aborted)[,:;.]?) ?mail ?box (?:is )?(?:unavailable|not available)[ .!-]*$/.test(
    bare,
  )
}

function phrase(category: BounceCategory, ...sources: readonly string[]): readonly [RegExp, BounceCategory] {
  return [new RegExp(sources.join('|')), category]
}
