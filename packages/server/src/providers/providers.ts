import type { ProviderKind } from '@posthorn/contract'
import { fromMailgun } from './from-mailgun.ts'
import { fromPostal } from './from-postal.ts'
import { fromPostmark } from './from-postmark.ts'
import { fromResend } from './from-resend.ts'
import { fromSendgrid } from './from-sendgrid.ts'
import { fromSes } from './from-ses.ts'
import type { Provider } from './provider.ts'
import { isPrivateKey, readPublicKey } from './public-key.ts'
import { verifyMailgun } from './verify-mailgun.ts'
import { verifyPostal } from './verify-postal.ts'
import { verifyPostmark } from './verify-postmark.ts'
import { readWebhookSecret, verifyResend } from './verify-resend.ts'
import { verifySendgrid } from './verify-sendgrid.ts'
import { verifySes } from './verify-ses.ts'

/** How each provider signs its requests, and what these report. */
export const providers: Readonly<Record<ProviderKind, Provider>> = {
  mailgun: {
    keyFlaw: key => (/^[\x21-\x7e]{16,256}$/.test(key) ? null : 'must be the HTTP webhook signing key'),
    verify: verifyMailgun,
    translate: fromMailgun,
  },
  ses: {
    keyFlaw: key =>
      /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/.test(key)
        ? null
        : 'must be the ARN of the SNS topic, such as arn:aws:sns:eu-west-1:123456789012:mail',
    verify: verifySes,
    translate: fromSes,
  },
  sendgrid: {
    keyFlaw: key => publicKeyFlaw(key, 'ec', 'the verification key of the Event Webhook'),
    verify: verifySendgrid,
    translate: fromSendgrid,
  },
  postmark: {
    keyFlaw: key =>
      /^[^:]+:.{8,}$/.test(key) ? null : 'must be user:password, with a password of at least 8 characters',
    verify: verifyPostmark,
    translate: fromPostmark,
  },
  postal: {
    keyFlaw: key => publicKeyFlaw(key, 'rsa', 'the DKIM record that Postal prints, or its public key'),
    verify: verifyPostal,
    translate: fromPostal,
  },
  resend: {
    keyFlaw: key =>
      readWebhookSecret(key) === null ? 'must be the signing secret of the webhook, whsec_…' : null,
    verify: verifyResend,
    translate: fromResend,
  },
}

function publicKeyFlaw(key: string, type: 'ec' | 'rsa', wanted: string): string | null {
  if (isPrivateKey(key)) return `must be ${wanted}, not a private key. Posthorn did not store it`
  return readPublicKey(key, type) === null ? `must be ${wanted}` : null
}
