import { createPrivateKey, randomBytes, sign } from 'node:crypto'
import { failedExchange, type Exchange } from '../../src/egress/egress.ts'
import { type Certificate, makeCertificate } from '../egress/certificate.ts'
import type { Webhook } from './provider-app.ts'

export const topic = 'arn:aws:sns:eu-west-1:123456789012:mail'
export const host = 'https://sns.eu-west-1.amazonaws.com'
const authority = makeCertificate({ name: 'authority', isAuthority: true })
export const certificate = makeCertificate({ name: 'sns', issuer: authority, rsa: true })
export const stranger = makeCertificate({ name: 'stranger', issuer: authority, rsa: true })
export const expired = makeCertificate({ name: 'sns', issuer: authority, rsa: true, validDays: [-9, -1] })
export const pem = (name: string): string => `${host}/SimpleNotificationService-${name}.pem`

/** What Amazon publishes, and what was read. */
export const published = new Map([
  [pem('good'), certificate.cert],
  [pem('expired'), expired.cert],
  [pem('text'), 'no certificate'],
])
export const read: string[] = []

export async function get({ url }: { url: string }): Promise<Exchange> {
  read.push(url)
  const text = published.get(url) ?? (url.includes('Action=ConfirmSubscription') ? '<Confirmed/>' : undefined)
  const exchange = failedExchange({ code: 'connect_refused', message: 'nothing listens' })
  if (text === undefined) return await Promise.resolve(exchange)
  return await Promise.resolve({
    ...exchange,
    outcome: 'success',
    error: null,
    statusCode: 200,
    responseBody: text,
  })
}

export interface Signed {
  readonly version?: '1' | '2'
  readonly by?: Certificate
  readonly certificateUrl?: string
}

/** A message of SNS, with its signature. */
export function message(
  fields: Record<string, string>,
  { version = '2', by = certificate, certificateUrl = pem('good') }: Signed = {},
): Record<string, string> {
  const whole = {
    MessageId: randomBytes(8).toString('hex'),
    Timestamp: '2026-11-21T04:00:02.000Z',
    TopicArn: topic,
    ...fields,
  }
  const text = Object.entries(whole)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('')
  const algorithm = version === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
  const signature = sign(algorithm, Buffer.from(text), createPrivateKey(by.key)).toString('base64')
  return { ...whole, SignatureVersion: version, Signature: signature, SigningCertURL: certificateUrl }
}

export const webhook = (fields: object): Webhook => ({
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  payload: JSON.stringify(fields),
})
export const notification = (event: object, signed: Signed = {}): Webhook =>
  webhook(message({ Type: 'Notification', Subject: 'Mail', Message: JSON.stringify(event) }, signed))

export function mail(given: object = {}): object {
  return {
    timestamp: '2026-11-21T04:00:00.000Z',
    messageId: `0102${randomBytes(12).toString('hex')}-000000`,
    source: 'Acme <shop@acme.example>',
    destination: ['ann@example.org'],
    tags: {
      posthorn_email_id: [`order-${randomBytes(6).toString('hex')}`],
      'ses:outgoing-ip': ['192.0.2.7'],
    },
    ...given,
  }
}
export const bounce = (
  bounceType: string,
  bounceSubType: string,
  recipient: Record<string, string> = {},
  given: object = {},
): object => ({
  eventType: 'Bounce',
  mail: mail(),
  bounce: {
    bounceType,
    bounceSubType,
    bouncedRecipients: [{ emailAddress: 'ann@example.org', ...recipient }],
    timestamp: '2026-11-21T04:00:01.000Z',
    feedbackId: `0102${randomBytes(12).toString('hex')}-000000`,
    reportingMTA: 'dsn; a4-2.smtp-out.eu-west-1.amazonses.com',
    ...given,
  },
})
export const refusedBy = (diagnosticCode: string, status = ''): Record<string, string> => ({
  action: 'failed',
  diagnosticCode,
  ...(status !== '' && { status }),
})
export const delivery = (given: object = {}): object => ({
  eventType: 'Delivery',
  mail: mail(given),
  delivery: {
    timestamp: '2026-11-21T04:00:01.000Z',
    recipients: ['ann@example.org'],
    smtpResponse: '250 2.0.0 OK queued as 4F7C2A',
    reportingMTA: 'a4-2.smtp-out.eu-west-1.amazonses.com',
  },
})
export const complaint = (recipients: readonly string[], given: object = {}): object => ({
  notificationType: 'Complaint',
  mail: mail(),
  complaint: {
    complainedRecipients: recipients.map(emailAddress => ({ emailAddress })),
    timestamp: '2026-11-21T04:00:01.000Z',
    feedbackId: randomBytes(8).toString('hex'),
    ...given,
  },
})
