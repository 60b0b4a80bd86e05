import type { EmailCreate, Mailbox } from '@posthorn/contract'
import type { DKIMOptions } from 'nodemailer'
import { normalEmailAddress } from '../domain/email-address.ts'
import type { MailToken } from '../domain/mail-token.ts'
import { smtpAddress } from '../domain/smtp-address.ts'
import { encodeMailToken, encodeUnsubscribeLink } from '../mail/mail-token.ts'
import type { MailKey } from '../mail/mail-key.ts'
import type { ClaimedHandover } from './claim.ts'
import type { Message } from './submit.ts'

export interface ComposeOptions {
  /** If null, bounces go to the sender. */
  readonly returnPathDomain: string | null
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly tokenKey: MailKey
  /** If null, the email is not signed. */
  readonly dkim: {
    readonly domainName: string
    readonly selector: string
    readonly privateKeyPem: string
  } | null
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
    ...(replyTo !== undefined && { replyTo: asAddress(replyTo) }),
    messageId: `<${messageId}>`,
    date: new Date(acceptedAtMs),
    xMailer: false,
    headers: { ...headers, ...unsubscribeHeaders(content, address, tokenOf('unsubscribe'), options) },
    attachments: attachments.map(
      ({ filename, content: base64, content_type: contentType, content_id: cid }) => ({
        filename,
        content: base64,
        encoding: 'base64',
        ...(contentType !== undefined && { contentType }),
        ...(cid !== undefined && { cid, contentDisposition: 'inline' }),
      }),
    ),
    ...(dkim !== null && { dkim: dkimOptions(dkim) }),
  }
}

function unsubscribeHeaders(
  { unsubscribe }: EmailCreate,
  address: string,
  token: MailToken,
  { returnPathDomain, publicUrl, tokenKey }: ComposeOptions,
): Record<string, string> {
  if (unsubscribe === undefined) return {}
  const link = encodeUnsubscribeLink(token, { address, list: unsubscribe.list ?? null }, tokenKey.secret)
  const links = [
    `<${publicUrl}/u/${link}>`,
    ...(returnPathDomain === null
      ? []
      : [`<mailto:unsub+${encodeMailToken(token, tokenKey.secret)}@${returnPathDomain}>`]),
  ]
  return { 'List-Unsubscribe': links.join(', '), 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** RFC 8058 requires both List-Unsubscribe fields to be signed; nodemailer's default lacks the second. */
const signedFields =
  'From:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:' +
  'In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post'

function dkimOptions({
  domainName,
  selector,
  privateKeyPem,
}: NonNullable<ComposeOptions['dkim']>): DKIMOptions {
  return { domainName, keySelector: selector, privateKey: privateKeyPem, headerFieldNames: signedFields }
}

function asAddress({ name, address }: Mailbox): { name: string; address: string } {
  return { name: name ?? '', address: smtpAddress(address) }
}
