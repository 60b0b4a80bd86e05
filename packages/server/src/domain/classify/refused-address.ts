import { foldedAddress } from '../folded-address.ts'
import { isSameRecipient } from '../same-recipient.ts'
import { returnPathToken } from '../sources/return-path.ts'
import { addressFault } from './positive-phrases.ts'
import { plainWords } from './plain-words.ts'
import type { RawOutcome } from './raw-outcome.ts'
import type { Reply } from './read-reply.ts'

/**
 * The address that a reply refuses, if it is not the recipient's: the mail was forwarded to it. Null if the reply refuses no
 * address, or one that may be another form of the recipient's or the sender's address.
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
 * Whether a reply refuses the sender's own address and names none that may be the recipient's. Servers that verify senders
 * describe an unknown sender in the words for an unknown recipient.
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

/** Addresses that directly follow the codes, or that are next to a verdict. */
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
      behindCommand.test(before) ||
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

/** With or without brackets, and with an optional source route (RFC 5321). */
const addressPattern =
  /[<(['"]{0,2}(?:@[\w.-]{1,255}:)?((?:"[^"<>@]{1,64}"|[^\s<>"'()[\],;:@]{1,128})@[\p{L}\p{N}*_-]{1,63}(?:\.[\p{L}\p{N}*_-]{1,63}){0,8}(?![\p{L}\p{N}*_-]))\.?[>)\]'"]{0,2}/gu

const behindCodes =
  /(?:(?<![\w.-])[45]\d\d|(?<![\w.-])#?[45]\.\d{1,3}\.\d{1,3})[ :-]{1,3}(?:(?:rcpt to|recipient|mail ?box|user|address):? ?)?$/i

const behindVerdict =
  /\b(?:(?:unknown|invalid|no such|non-?existent|unrecogni[sz]ed|undeliverable|bad) (?:local )?(?:users?|recipients?|mail ?box|accounts?|address(?:ee)?)(?: here)?|(?:user|recipient|mail ?box|account|address)(?: address)? (?:is )?(?:unknown|not found|unavailable|invalid|rejected|does(?: not|n't) exist))[ :-]{1,3}$/i

/** Exim names the command that the reply answers. */
const behindCommand = /\bafter (?:pipelined )?rcpt to: ?$/i

/** An address after these words is the sender's or a contact. */
const notRefused = /\b(?:from|sender|by|contact|via|mail|write to|ask)\b[ :=]{0,2}$/i

/**
 * Whether an address may be the recipient's. It may be in another spelling, without its tag, or with hidden letters. It may be
 * in an internal domain of the receiver, or wrapped by a server (BATV, SRS, VERP).
 */
function mayBeRecipient(address: string, recipient: string): boolean {
  if (/[*\ufffd]/.test(address) || isSameRecipient(address, recipient)) return true
  const [local, domain] = partsOf(address)
  const [ownLocal, ownDomain] = partsOf(recipient)
  if (isWrapper.test(local) || local.includes(ownDomain) || ofOneSite.test(domain)) return true
  return withoutTag(local) === withoutTag(ownLocal) && isRelated(domain, ownDomain)
}

/** Servers that verify the sender refuse it with the same words. */
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

/** Characters of local parts that contain another address. */
const isWrapper = /[=%!]/

/** Internal domains, which mail cannot be forwarded to from outside. */
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
