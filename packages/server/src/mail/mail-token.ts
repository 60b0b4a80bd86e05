import { type MailToken, mailTokenHead, mailTokenMac, type ReadMailToken } from '../domain/mail-token.ts'
import { isSameText, mailMac, sealForLink } from '../seal/mail-mac.ts'

/** Encodes a token: 53 characters of lower-case base32, safe in a local part and in a URL. */
export function encodeMailToken(token: MailToken, keySecret: Uint8Array): string {
  const head = mailTokenHead(token)
  return head + macOf(head, keySecret)
}

/** Whether the token was made with this key. */
export function isGenuine({ head, mac }: ReadMailToken, keySecret: Uint8Array): boolean {
  return isSameText(mac, macOf(head, keySecret))
}

/** The address and list of an unsubscribe link. The link contains them, because it outlives the stored email. */
export interface UnsubscribeTarget {
  readonly address: string
  readonly list: string | null
}

/** The token of an unsubscribe link, with its encrypted target. */
export function encodeUnsubscribeLink(
  token: MailToken,
  target: UnsubscribeTarget,
  keySecret: Uint8Array,
): string {
  const text = encodeMailToken(token, keySecret)
  const { address, list } = target
  return `${text}.${sealForLink(keySecret, text, JSON.stringify([address, list]))}`
}

function macOf(head: string, keySecret: Uint8Array): string {
  return mailTokenMac(mailMac(keySecret, 'token', head))
}
