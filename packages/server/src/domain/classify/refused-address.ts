import { foldedAddress } from '../folded-address.ts'
import { isSameRecipient } from '../same-recipient.ts'
import { returnPathToken } from '../sources/return-path.ts'
import { addressFault } from './positive-phrases.ts'
import { plainWords } from './plain-words.ts'
import type { RawOutcome } from './raw-outcome.ts'
import type { Reply } from './read-reply.ts'

/**
 * The address that a reply refuses, if it is another than the recipient's: the mail was forwarded to it. Null when the
 * reply names none in that place, or one that may be the recipient's or the sender's in another form.
 */
export function otherRefused(
  { text }: Reply,
  { recipient, senders = [] }: Pick<RawOutcome, 'recipient' | 'senders'>,
): string | null {
  if (recipient === undefined) return null
  const refused = refusedIn(text)
  const isDoubtful = (address: string): boolean =>
    mayBeRecipient(address, recipient) || mayBeSender(address, senders)
  return refused.some(isDoubtful) ? null : (refused.at(-1) ?? null)
}

/**
 * Whether a reply refuses the sender's own address and names none that may be the recipient's: a server that verifies
 * senders says so in the words of an unknown recipient.
 */
export function refusesSender(
  { text }: Reply,
  { recipient, senders = [] }: Pick<RawOutcome, 'recipient' | 'senders'>,
): boolean {
  if (recipient === undefined) return false
  const refused = refusedIn(text)
  const named = addressesIn(text).map(([, address = '']) => address)
  return (
    refused.length > 0 &&
    refused.every(address => isSender(address, senders)) &&
    !named.some(address => mayBeRecipient(address, recipient))
  )
}

/** Addresses directly behind the codes, and those that a verdict on an address follows or precedes. */
function refusedIn(text: string): string[] {
  const refused: string[] = []
  let end = 0
  for (const match of addressesIn(text)) {
    const [whole, address = ''] = match
    const before = text.slice(end, match.index)
    end = match.index + whole.length
    if (notRefused.test(before)) continue
    const after = /^[ .:,-]{0,5}[^.;@]{0,80}/.exec(text.slice(end))?.[0] ?? ''
    if (
      behindCodes.test(before) ||
      behindVerdict.test(before) ||
      addressFault(plainWords(`<${address}>${after}`)) !== null
    )
      refused.push(address)
  }
  return refused
}

function addressesIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(addressPattern)].slice(0, addressesMax)
}

const addressesMax = 32

/** In brackets or bare, and with the route of RFC 5321 in front. */
const addressPattern =
  /[<(['"]{0,2}(?:@[\w.-]{1,255}:)?((?:"[^"<>@]{1,64}"|[^\s<>"'()[\],;:@]{1,128})@[\p{L}\p{N}*_-]{1,63}(?:\.[\p{L}\p{N}*_-]{1,63}){0,8}(?![\p{L}\p{N}*_-]))\.?[>)\]'"]{0,2}/gu

const behindCodes =
  /(?:(?<![\w.-])[45]\d\d|(?<![\w.-])#?[45]\.\d{1,3}\.\d{1,3})[ :-]{1,3}(?:(?:rcpt to|recipient|mail ?box|user|address):? ?)?$/i

const behindVerdict =
  /\b(?:(?:unknown|invalid|no such|non-?existent|unrecogni[sz]ed|undeliverable|bad) (?:local )?(?:users?|recipients?|mail ?box|accounts?|address(?:ee)?)(?: here)?|(?:user|recipient|mail ?box|account|address)(?: address)? (?:is )?(?:unknown|not found|unavailable|invalid|rejected|does(?: not|n't) exist))[ :-]{1,3}$/i

/** What an address behind these words is: a sender's, or one to write to. */
const notRefused = /\b(?:from|sender|by|contact|via|mail|write to|ask)\b[ :=]{0,2}$/i

/**
 * The recipient in another spelling, without its tag, in a domain of the receiver's own machines, or wrapped by a
 * server on the way (BATV, SRS, VERP); also an address that hides its letters.
 */
function mayBeRecipient(address: string, recipient: string): boolean {
  if (/[*\ufffd]/.test(address) || isSameRecipient(address, recipient)) return true
  const [local, domain] = partsOf(address)
  const [ownLocal, ownDomain] = partsOf(recipient)
  if (isWrapper.test(local) || local.includes(ownDomain) || ofOneSite.test(domain)) return true
  return withoutTag(local) === withoutTag(ownLocal) && isRelated(domain, ownDomain)
}

/** Servers that verify the sender refuse it in the same words. */
function mayBeSender(address: string, senders: readonly string[]): boolean {
  const [local, domain] = partsOf(address)
  return (
    returnPathToken(address) !== null ||
    senders.some(sender => {
      const [, ofSender] = partsOf(bareSender(sender))
      return domain === ofSender || local.includes(ofSender)
    })
  )
}

function isSender(address: string, senders: readonly string[]): boolean {
  const folded = foldedAddress(address)
  return (
    returnPathToken(address) !== null || senders.some(sender => foldedAddress(bareSender(sender)) === folded)
  )
}

/** Without the name in front of it. */
function bareSender(sender: string): string {
  return sender.replace(/^.*<([^<>]*)>.*$/s, '$1')
}

/** Local parts in which another address may be hidden. */
const isWrapper = /[=%!]/

/** Domains that nobody can forward to from elsewhere. */
const ofOneSite = /^[^.]*$|\.(?:local|localdomain|localhost|internal|intranet|lan|corp|home|private)$/

function partsOf(address: string): [local: string, domain: string] {
  const folded = foldedAddress(address)
  const at = folded.lastIndexOf('@')
  return [folded.slice(0, at), folded.slice(at + 1)]
}

function withoutTag(local: string): string {
  return local.replace(/(?<=.)\+.*$/s, '')
}

function isRelated(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}
