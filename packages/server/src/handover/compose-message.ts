import type { EmailCreate, Mailbox } from '@posthorn/contract'
import { normalEmailAddress } from '../domain/email-address.ts'
import type { MailToken } from '../domain/mail-token.ts'
import { smtpAddress } from '../domain/smtp-address.ts'
import type { SigningDomain } from '../domains/signing-domain.ts'
import { encodeMailToken, encodeUnsubscribeLink } from '../mail/mail-token.ts'
import type { MailKey } from '../mail/mail-key.ts'
import type { ClaimedHandover } from './claim.ts'
import type { Message } from './submit.ts'

export interface ComposeOptions {
  /** If null, bounces go to the sender. */
  readonly returnPathDomain: string | null
  /** The URL of Posthorn in links, without a trailing slash. */
  readonly linkUrl: string
  readonly tokenKey: MailKey
  /** If null, the email is not signed. */
  readonly dkim: SigningDomain | null
}

/** Composes the email for one recipient. Its Message-ID and date are the same every time. */
export function composeMessage(
  { content, address, emailId, number, messageId, acceptedAtMs }: ClaimedHandover,
  options: ComposeOptions,
): Message {
  const {
    from,
    to,
    cc = [],
    subject,
    text,
    html,
    reply_to: replyTo,
    headers = {},
    attachments = [],
  } = content
  const { returnPathDomain, dkim } = options
  const tokenOf = (purpose: MailToken['purpose']): MailToken => ({
    purpose,
    keyNumber: options.tokenKey.number,
    emailId,
    recipientNumber: number,
  })
  const bouncesTo = encodeMailToken(tokenOf('return_path'), options.tokenKey.secret)
  return {
    envelope: {
      from:
        returnPathDomain === null
          ? smtpAddress(normalEmailAddress(from.address))
          : `bounces+${bouncesTo}@${returnPathDomain}`,
      to: smtpAddress(address),
    },
    from: asAddress(from),
    to: to.map(asAddress),
    cc: cc.map(asAddress),
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { replyTo: [replyTo].flat().map(asAddress) }),
    messageId: `<${messageId}>`,
    date: new Date(acceptedAtMs),
    xMailer: false,
    headers: { ...headers, ...unsubscribeHeaders(content, address, tokenOf('unsubscribe'), options) },
    attachments: attachments.filter(one => !isInvitation(one)).map(asPart),
    alternatives: attachments.filter(isInvitation).map(asAlternative),
    dkim,
  }
}

type Attachment = NonNullable<EmailCreate['attachments']>[number]

/** Mail programs show an invitation with buttons only if it is an alternative to the text (RFC 6047). */
function isInvitation({ content_type: type = '' }: Attachment): boolean {
  return /^text\/calendar;.*\bmethod=/i.test(type)
}

function asPart({ filename, content, content_type: contentType, content_id: cid }: Attachment) {
  return {
    filename,
    content,
    encoding: 'base64',
    ...(contentType !== undefined && { contentType }),
    ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
  }
}

/** It has no filename, because that makes it an attachment. */
function asAlternative({ content, content_type: type = '' }: Attachment) {
  const contentType = /;\s*charset=/i.test(type) ? type : `${type}; charset=utf-8`
  return { content, encoding: 'base64', contentType, contentTransferEncoding: 'base64' as const }
}

function unsubscribeHeaders(
  { unsubscribe }: EmailCreate,
  address: string,
  token: MailToken,
  { returnPathDomain, linkUrl, tokenKey }: ComposeOptions,
): Record<string, string> {
  if (unsubscribe === undefined) return {}
  const link = encodeUnsubscribeLink(token, { address, list: unsubscribe.list ?? null }, tokenKey.secret)
  const links = [
    `<${linkUrl}/u/${link}>`,
    ...(returnPathDomain === null
      ? []
      : [`<mailto:unsub+${encodeMailToken(token, tokenKey.secret)}@${returnPathDomain}>`]),
  ]
  return { 'List-Unsubscribe': links.join(', '), 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function asAddress({ name, address }: Mailbox): { name: string; address: string } {
  return { name: name ?? '', address: smtpAddress(address) }
}
