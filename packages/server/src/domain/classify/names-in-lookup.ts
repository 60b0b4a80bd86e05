import type { RawOutcome } from './raw-outcome.ts'
import type { Reply } from './read-reply.ts'

/**
 * Which name a lookup was about. `recipient`: only the domain of the recipient's address. `other`: any other host, including an
 * MX host below that domain, because the domain may have other MX hosts.
 */
export function namesInLookup(
  { innerText }: Reply,
  { recipientDomain, remoteMta }: RawOutcome,
): 'recipient' | 'other' | 'none' {
  const bare = innerText
    .toLowerCase()
    .replace(/https?:\/\/\S*/g, ' ')
    .replace(/\[[^\][]{0,255}\]/g, ' ')
  const words = bare.replace(addressPattern, ' ')
  const hosts = [...(words.match(hostPattern) ?? []), ...labelsIn(words)]
  const names = hosts.length > 0 ? hosts : domainsOfAddresses(bare)
  const isRecipients = (name: string): boolean => asDnsName(name) === recipientDomain
  if (names.length > 0 && !names.every(isRecipients)) return 'other'
  if (ofAnotherRole.test(words)) return 'other'
  if (names.length > 0) return 'recipient'
  if (remoteMta !== undefined) return isRecipients(remoteMta) ? 'recipient' : 'other'
  return aboutDomain.test(words) ? 'recipient' : 'none'
}

/** Normalizes a host name as in DNS: in lower case, as A-labels, without a trailing dot. */
export function asDnsName(name: string): string {
  const bare = name.toLowerCase().replace(/\.$/, '')
  return /^[\x21-\x7e]*$/.test(bare) ? bare : (URL.parse(`http://${bare}`)?.hostname ?? bare)
}

const addressPattern = /[^\s<>"'()[\],;:]{1,64}@([\p{L}\p{N}.-]{1,255}[\p{L}\p{N}])/gu
const hostPattern =
  /(?<![\p{L}\p{N}_.@-])(?:[\p{L}\p{N}_-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}_-])/gu

function domainsOfAddresses(text: string): string[] {
  return [...text.matchAll(addressPattern)].map(([, domain = '']) => domain)
}

/** Names without a dot, in places where only a name makes sense. */
function labelsIn(words: string): string[] {
  const found = (patterns: readonly RegExp[]): string[] =>
    patterns.flatMap(pattern => [...words.matchAll(pattern)].map(([, label = '']) => label))
  return [
    ...found(surePatterns).filter(label => label === 'mail' || !notALabel.test(label)),
    ...found(labelPatterns).filter(label => !notALabel.test(label)),
  ]
}

const label = '["\'<]?([\\p{L}\\p{N}_-]{1,63})(?!\\.?[\\p{L}\\p{N}_-])'
const labelPatterns = [
  `\\bname ?server: ${label}\\.?:`,
  `\\b(?:hosts? named|host|domain|enotfound|lookup(?: of)?|exchanger|destination|not found:) ${label}`,
].map(source => new RegExp(source, 'gu'))

const notFound =
  '(?:(?:host|domain)(?: or domain)?(?: name)? (?:not found|unknown)|unknown host|no such host|name or service not known)'

/** In an MX record with or without its preference, or before the result of a lookup. */
const surePatterns = [
  `\\bmx(?: records?| hosts?)?[ :=]{1,3}(?:\\d{1,5},? )?${label}(?! (?:exchanger|server|host|domain|record|look))`,
  `\\b(?:exchanger =|points? to|name=) ?${label}`,
  `(?:^|[:;] ?)${label}(?: \\(mx[ :=]{0,2}\\d{0,5}\\))?: ${notFound}`,
].map(source => new RegExp(source, 'gu'))

const notALabel =
  /^(?:\d+|a|an|no|non-existent|nonexistent|records?|hosts?|servers?|entry|entries|preference|priority|look-?ups?|dns|smtp|queue|reason|status|resolver|diagnostic|message|permanent|fatal|bounced?|warning|remote|nxdomain|names?|named|not|or|and|of|for|on|by|is|was|were|are|the|that|which|this|has|had|does|did|do|could|can|cannot|couldn|doesn|isn|wasn|must|may|exists?|part|portion|specified|given|you|unknown|invalid|found|error|failed|failure|address|domain|type|mail|email|e-mail|responded|returned|mx|with|in|accepts?|data|ip|unreachable|unavailable|temporarily)$/

/** The missing name has another role than the recipient's domain. */
const ofAnotherRole =
  /\b(?:your|our|relay|smart ?host|next[ -]hop|mx|gateway|back-?end|mail ?store|internal|helo|ehlo|client|sender(?:'?s)?|sending|return)\b[ -](?:[\w-]+ ){0,2}(?:hosts?|domain|server|point)\b/

/** Only addresses have a domain and a mail exchanger, and only the reporter's own lookup gets an authoritative answer. */
const aboutDomain = /(?<!\bhost or )\bdomain\b|\bmail exchanger or ip\b|\bauthoritative answer\b/
